import { Readable } from 'node:stream';
import { encodingOf } from '@gateway/json';
import { MAX_SYNC_SCAN_BYTES } from '../../inspection/inspectors.ts';
import type { LeavingBody } from '../request/intake.ts';
import { blocksWithModel, lengthWith, type ModelPlan, planModel, takeParts, withModel } from '../request/model.ts';
import { asUtf8, atOnce, inSlices, withPauses } from '../request/wide-text.ts';
import type { Form, Inspected } from './types.ts';

/** An outgoing body, and the options that the caller requested in it. */
export interface Prepared {
  readonly body: LeavingBody;
  /** Length of a body that leaves in pieces; null where that is the caller's length, or there is no body. */
  readonly length: number | null;
  /** It leaves without its original coding. */
  readonly isDecoded: boolean;
  /** The body may leave changed, and is looked into meanwhile. */
  readonly leaving: boolean;
  /** Whether the caller sent `stream: true` in a JSON body (relay-18). */
  readonly stream: boolean;
  /** The detail of the entry. */
  readonly detail: string | null;
  /** The source of the prompt's token estimate; null where it was not buffered. */
  readonly prompt: Buffer | null;
}

/**
 * Replaces the model in the outgoing form of a JSON object; any other body leaves unchanged (relay-11, relay-12, relay-13). A
 * long body is read in slices and leaves in pieces.
 * @param model the slug that the provider expects.
 */
export function prepare(inspected: Inspected, model: string): Prepared | Promise<Prepared> {
  const [form, ...more] = inspected.forms;
  const { body } = form;
  if (body.kind === 'flowing') return passUnchanged(inspected, form);
  if (more.length > 0 || body.kind === 'long' || body.bytes.length > MAX_SYNC_SCAN_BYTES)
    return prepareLong(inspected, model);
  const plan = atOnce(planModel([body.bytes]));
  return plan === null ? passUnchanged(inspected, form) : replaceModel(inspected, form, plan, model);
}

async function prepareLong(inspected: Inspected, model: string): Promise<Prepared> {
  for (const form of inspected.forms) {
    const plan = await inSlices(planModel(partsOf(form)));
    if (plan !== null) return replaceModel(inspected, form, plan, model);
  }
  return passUnchanged(inspected, inspected.forms.at(-1) ?? inspected.forms[0]);
}

function partsOf({ body }: Form): Buffer[] {
  if (body.kind === 'flowing') return [];
  return body.kind === 'long' ? body.parts : [body.bytes];
}

function passUnchanged({ detail, codings, leaving }: Inspected, { body, isDecoded }: Form): Prepared {
  const kept = codings === null ? null : `model: not replaced in a body compressed with ${codings}`;
  const lines = [detail, kept].filter((line) => line !== null);
  const isLong = body.kind === 'long';
  return {
    body: isLong ? inPieces(takeParts(body.parts)) : body,
    length: isLong ? body.length : null,
    isDecoded,
    leaving: leaving === true,
    stream: false,
    detail: lines.length === 0 ? null : lines.join('; '),
    prompt: body.kind === 'whole' ? body.bytes : null,
  };
}

function replaceModel({ detail }: Inspected, form: Form, plan: ModelPlan, model: string): Prepared {
  const { body, isDecoded } = form;
  const bytes = body.kind === 'whole' ? body.bytes : null;
  const more = { isDecoded, leaving: false, stream: plan.stream, detail, prompt: bytes && inUtf8(bytes) };
  if (bytes !== null && bytes.length <= MAX_SYNC_SCAN_BYTES)
    return { body: { kind: 'whole', bytes: withModel(bytes, plan, model) }, length: null, ...more };
  const parts = partsOf(form);
  const length = lengthWith(
    parts.reduce((sum, part) => sum + part.length, 0),
    plan,
    model,
  );
  return { body: inPieces(blocksWithModel(parts, plan, model)), length, ...more };
}

function inPieces(pieces: Iterable<Buffer>): LeavingBody {
  // A fast engine takes each piece at once: without pauses, the whole body would be sent in one turn of the event loop.
  const stream = Readable.from(withPauses(pieces), { objectMode: false });
  // Nobody may ever read it: its caller may leave before the call is recorded.
  stream.on('error', () => {});
  return { kind: 'flowing', stream };
}

/** A short body as text, for an estimate of its tokens. */
function inUtf8(bytes: Buffer): Buffer {
  const encoding = encodingOf(bytes);
  return encoding === 'utf-8' || bytes.length > MAX_SYNC_SCAN_BYTES ? bytes : atOnce(asUtf8(bytes, encoding));
}
