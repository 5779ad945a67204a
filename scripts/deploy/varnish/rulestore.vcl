# Varnish in front of rulestore. Started like this, it writes no query string:
#
#   varnishd -a :80 -f /etc/varnish/rulestore.vcl -s malloc,256m -p vsl_mask=-ReqURL,-BereqURL
#   varnishncsa -F '%t %m %{VCL_Log:path}x %s %b %{Varnish:handling}x'
#
# It caches what may be cached, asks by ETag whether it is still good, and serves
# what it has for a day while the origin is away.

vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 30s;
    .probe = {
        .url = "/healthz";
        .interval = 2s;
        .timeout = 1s;
        .window = 3;
        .threshold = 2;
        .initial = 2;
    }
}

sub vcl_recv {
    std.log("path:" + regsub(req.url, "\?.*$", ""));

    # The service never reads the host, and it must not split the cache.
    set req.http.Host = "rules.example.org";
    unset req.http.Cookie;
    # fetched_at differs from answer to answer, so parts do not fit together.
    unset req.http.Range;
    # Dates go back when a version is taken back, and Varnish would answer by any later one.
    unset req.http.If-Modified-Since;

    # As stale as stale-while-revalidate allows, unless the origin is away.
    if (std.healthy(req.backend_hint) && req.restarts == 0) {
        set req.grace = 10m;
    }

    if (req.url ~ "^/mcp($|\?)" || (req.method != "GET" && req.method != "HEAD")) {
        return (pass);
    }

    # Spellings that mean the same share a copy.
    if (!req.http.Accept || req.http.Accept == "*/*" || req.http.Accept == "application/json, */*") {
        set req.http.Accept = "application/json";
    } else if (req.http.Accept ~ "^text/html,application/xhtml") {
        set req.http.Accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    }
    return (hash);
}

sub vcl_backend_response {
    # A failure never takes the place of an answer that is still there.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    if (beresp.status == 200) {
        set beresp.grace = 1d;
        set beresp.keep = 7d;
    }
}

sub vcl_deliver {
    # stale-if-error: what the cache has is better than an error.
    if (resp.status >= 500 && req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) {
        return (restart);
    }
    if (obj.ttl < 0s) {
        set resp.http.X-Cache = "STALE";
    } else if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
    unset resp.http.X-Varnish;
    unset resp.http.Via;
}

sub vcl_synth {
    if (resp.status >= 500 && req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) {
        return (restart);
    }
}
