// A client of the service in TypeScript, as an integrator writes one: of types that are generated from its
// description alone. It reads items, lists, versions and parameters, searches and calculates.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const api = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: process.argv[2]! });

// found returns what was answered.
function found<T>(answer: { data?: T; error?: { detail: string } }): T {
  if (answer.data === undefined) {
    throw new Error(answer.error?.detail);
  }
  return answer.data;
}

const list = found(await api.GET("/api/v1/guidelines", { params: { query: { status: "current" } } }));
const id = list.guidelines[0]!.guideline_id;

const guideline = found(await api.GET("/api/v1/guidelines/{guideline_id}", { params: { path: { guideline_id: id } } }));
const conditions: string[] = guideline.rules.map((rule) => rule.condition);

const versions = found(
  await api.GET("/api/v1/guidelines/{guideline_id}/versions", { params: { path: { guideline_id: id } } }),
);
const oldest = versions.versions.at(-1)!;
const first = found(
  await api.GET("/api/v1/guidelines/{guideline_id}/versions/{version}", {
    params: { path: { guideline_id: id, version: oldest.guideline_version } },
  }),
);

const parameters = found(await api.GET("/api/v1/external-parameters"));
const parameter = found(
  await api.GET("/api/v1/external-parameters/{parameter_id}", {
    params: { path: { parameter_id: parameters.parameters[0]!.parameter_id } },
  }),
);

const results = found(await api.GET("/api/v1/search", { params: { query: { q: "вклад" } } }));

const calculation = found(
  await api.POST("/api/v1/math/tools/{tool_id}", {
    params: { path: { tool_id: "loan_payment" } },
    body: {
      inputs: { principal: "5000000.00", annual_rate_pct: "18.5", term_months: 360 },
    },
  }),
);

console.log(
  JSON.stringify({
    id,
    conditions: conditions.length,
    versions: versions.total,
    first: first.content_checksum === oldest.content_checksum,
    parameter: parameter.parameter_id,
    found: results.total,
    calculated: calculation.status,
  }),
);
