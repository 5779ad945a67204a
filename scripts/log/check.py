#!/usr/bin/env python3
"""Checks the log of a rulestore server with nothing of rulestore.

    python3 check.py http://127.0.0.1:8080

Reads the checkpoint, the tiles and the entries (c2sp.org/tlog-tiles), computes the tree of
RFC 6962 anew, and asks every listed publication for its proof (c2sp.org/tlog-proof).
Signatures are not checked: the standard library of Python cannot verify Ed25519.
"""

import base64
import hashlib
import json
import sys
import urllib.request

WIDTH = 256


def leaf_hash(data):
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_hash(hashes):
    """MTH of RFC 6962, section 2.1, over hashes of leaves."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    k = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(tree_hash(hashes[:k]), tree_hash(hashes[k:]))


def included(leaf, index, size, path):
    """The root that a proof leads to (RFC 9162, section 2.1.3.2)."""
    fn, sn, h = index, size - 1, leaf
    for p in path:
        if sn == 0:
            raise ValueError("the proof is too long")
        if fn & 1 or fn == sn:
            h = node_hash(p, h)
            while fn and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            h = node_hash(h, p)
        fn, sn = fn >> 1, sn >> 1
    if sn:
        raise ValueError("the proof is too short")
    return h


def number(n):
    """A number as a path: 1234067 is x001/x234/067."""
    path = "%03d" % (n % 1000)
    while n >= 1000:
        n //= 1000
        path = "x%03d/%s" % (n % 1000, path)
    return path


class Server:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return answer.read()

    def tile(self, level, n, width):
        part = "" if width == WIDTH else ".p/%d" % width
        return self.get("/log/tile/%s/%s%s" % (level, number(n), part))

    def tiles(self, level, count):
        for n in range(0, count, WIDTH):
            yield self.tile(level, n // WIDTH, min(WIDTH, count - n))

    def leaves(self, size):
        for raw in self.tiles("entries", size):
            while raw:
                n = int.from_bytes(raw[:2], "big")
                yield raw[2 : 2 + n]
                raw = raw[2 + n :]


def checkpoint(text):
    """Size and root of a checkpoint."""
    _, size, root = text.decode().split("\n\n")[0].split("\n")[:3]
    return int(size), base64.b64decode(root)


def check(server):
    try:
        size, root = checkpoint(server.get("/log/checkpoint"))
    except urllib.error.HTTPError as e:
        if e.code != 404:
            raise
        sys.exit("there is no checkpoint, so nothing is signed that could be checked: %s" % e)
    leaves = list(server.leaves(size))
    hashes = [leaf_hash(leaf) for leaf in leaves]
    if len(leaves) != size or tree_hash(hashes) != root:
        sys.exit("the entries do not make the root of the checkpoint")
    level, row = 0, hashes
    while row:
        if b"".join(server.tiles(level, len(row))) != b"".join(row):
            sys.exit("the tiles of level %d are not those of the entries" % level)
        full = len(row) // WIDTH * WIDTH
        row = [tree_hash(row[i : i + WIDTH]) for i in range(0, full, WIDTH)]
        level += 1
    index = {leaf: i for i, leaf in enumerate(leaves)}
    found = json.loads(server.get("/.well-known/service-for-robots.json"))
    base = found["canonical_base_url"]
    seals = {tuple(leaf.decode().split(" ")[1:3]) for leaf in leaves if leaf.startswith(b"seal ")}
    for line in server.get("/api/v1/checksums").decode().splitlines():
        tag, checksum, _ = line.split(" ")
        if (tag, checksum) not in seals:
            sys.exit("%s is served and not in the log" % tag)
        said = json.loads(server.get("/api/v1/checksums/" + checksum))
        proof = server.get(said["canonical_url"][len(base) :] + "/proof")
        head, signed = proof.decode().split("\n\n", 1)
        lines = head.split("\n")
        leaf = base64.b64decode(lines[1].split(" ")[1])
        at = int(lines[2].split(" ")[1])
        if index.get(leaf) != at or leaf.decode().split(" ")[1:3] != [tag, checksum]:
            sys.exit("the proof of %s is of something else" % tag)
        of, its = checkpoint(signed.encode())
        if included(leaf_hash(leaf), at, of, [base64.b64decode(p) for p in lines[3:]]) != its:
            sys.exit("the proof of %s does not hold" % tag)
    print("%d leaves, every version is in the log" % size)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check(Server(sys.argv[1]))
