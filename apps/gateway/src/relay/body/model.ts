import { type JsonObject, scanJsonObject } from './json-object.ts';

/** A body as it leaves, and what the caller asked for in it. */
export interface PreparedBody {
  readonly bytes: Buffer;
  /** Whether the caller sent `stream: true` in a JSON body (specification, Relay rule 9). */
  readonly stream: boolean;
}

/**
 * Overwrites the `model` of a body that is one JSON object, every duplicate and escaped spelling of it, or adds it where
 * there is none; every other byte stays. Any other body leaves as it came (specification, Relay rule 6; decisions §9).
 * @param model the slug the provider knows.
 */
export function withModel(body: Buffer, model: string): PreparedBody {
  const object = scanJsonObject(body);
  if (object === null) return { bytes: body, stream: false };
  return { bytes: spliced(body, object, JSON.stringify(model)), stream: object.stream };
}

function spliced(body: Buffer, object: JsonObject, value: string): Buffer {
  const { models } = object;
  if (models.length === 0) {
    const member = Buffer.from(`${object.empty ? '' : ','}"model":${value}`);
    return Buffer.concat([body.subarray(0, object.close), member, body.subarray(object.close)]);
  }
  const replacement = Buffer.from(value);
  const parts: Buffer[] = [];
  let from = 0;
  for (let index = 0; index < models.length; index += 2) {
    parts.push(body.subarray(from, models[index]), replacement);
    from = models[index + 1]!;
  }
  parts.push(body.subarray(from));
  return Buffer.concat(parts);
}
