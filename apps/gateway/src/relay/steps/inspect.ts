import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { encode, encodingOf } from '@gateway/json';
import { type BodyReport, type Finding, type Responses, respond } from '@gateway/secrets';
import {
  block,
  charsetOf,
  type Inspector,
  isInspectable,
  isReadCharset,
  isTextType,
  lineOf,
  MAX_SYNC_SCAN_BYTES,
} from '../../inspection/inspectors.ts';
import { codingsOf } from '../request/headers.ts';
import type { RequestBody } from '../request/intake.ts';
import { takeParts } from '../request/model.ts';
import { asUtf8, inSlices, wideReadingsOf } from '../request/wide-text.ts';
import { decodeForms, scanWindows } from '../request/windows.ts';
import type { Form, Inspected } from './types.ts';

/** Most bytes that a compressed body is decoded to. */
const MOST_DECODED = 16 * 1024 * 1024;

/** What detection is given to read of a body. */
interface Reading {
  readonly form: Buffer;
  readonly isDecoded: boolean;
  readonly bytes: Buffer;
  readonly type: string | undefined;
  /** Turns what was masked into the bytes that leave; null where that cannot be done. */
  readonly encoded: ((masked: Uint8Array) => Buffer) | null;
}

export interface InspectPorts {
  readonly inspector: Inspector;
  /** Called with everything found. */
  readonly found: (findings: readonly Finding[]) => void;
  /** Takes memory for a decoded body. @returns false where none is left. */
  readonly take: (bytes: number) => boolean;
}

/**
 * Scans a request's body for secrets and applies the policy (relay-32, relay-37). The body is read as bytes and in every decoding
 * that an engine might apply; the entry names what was not read.
 */
export function inspect(
  body: RequestBody,
  headers: IncomingHttpHeaders,
  ports: InspectPorts,
): Inspected | Refusal | Promise<Inspected | Refusal> {
  const form: Form = { body, isDecoded: false };
  const type = headers['content-type'];
  const codings = codingsOf(headers['content-encoding'] ?? '');
  if (body.kind === 'flowing') {
    if (codings.length > 0 && mustRead(ports.inspector.responsePolicy)) return refusal('unreadable-body');
    const unread = unreadOf(null, type, codings.length > 0 ? printableName(codings.join(', ')) : null);
    const detail = joinLines(['secrets: a long body, looked into as bytes while it leaves', ...unread]);
    return { forms: [form], detail, codings: null, leaving: true };
  }
  if (body.kind === 'long') return inLongBody(body.parts, type, codings, ports);
  if (body.bytes.length === 0) return { forms: [form], detail: null, codings: null };
  const charset = charsetOf(type);
  const isPlain =
    codings.length === 0 && !body.bytes.includes(0) && isReadCharset(charset) && encodingOf(body.bytes) === 'utf-8';
  if (!isPlain || body.bytes.length > MAX_SYNC_SCAN_BYTES) return everyWay(body.bytes, type, codings, ports);
  const reading: Reading = {
    form: body.bytes,
    isDecoded: false,
    bytes: body.bytes,
    type: readAs(type),
    encoded: asBytes,
  };
  const report = ports.inspector.scanner.scanBody(body.bytes, reading.type);
  return decide(
    [{ reading, report }],
    { forms: [form], detail: joinLines(unreadOf(body.bytes, type, null)), codings: null },
    ports,
  );
}

/** Findings of a long body that are recorded. */
const MOST_FINDINGS = 4096;

/** A body that is too long to be copied is read a window at a time. */
async function inLongBody(
  parts: Buffer[],
  type: string | undefined,
  codings: readonly string[],
  { inspector, found }: InspectPorts,
): Promise<Inspected | Refusal> {
  const { responsePolicy } = inspector;
  const charset = charsetOf(type);
  const findings: Finding[] = [];
  for await (const looked of scanWindows(parts, charset, inspector)) {
    findings.push(...looked.findings.slice(0, MOST_FINDINGS - findings.length));
    if (respond(responsePolicy, findings) === 'block') break;
  }
  const coded = codings.length > 0 ? printableName(codings.join(', ')) : null;
  const unread = unreadOf(null, type, coded);
  const line = findings.length > 0 ? lineOf(findings, responsePolicy) : null;
  if (findings.length > 0) found(findings);
  const inspected = (held: Buffer[]): Inspected => {
    const body: RequestBody = { kind: 'long', parts: held, length: held.reduce((sum, { length }) => sum + length, 0) };
    return { forms: [{ body, isDecoded: false }], detail: joinLines([line, ...unread]), codings: coded };
  };
  const response = respond(responsePolicy, findings);
  if (response === 'block') return block('secret-detected', findings, responsePolicy);
  if (coded !== null && mustRead(responsePolicy)) return refusalOfUnreadable(findings);
  if (response !== 'mask') return inspected(parts);
  const masked: Buffer[] = [];
  for await (const { bytes, findings: here, mask } of scanWindows(takeParts(parts), charset, inspector)) {
    const clear = here.length === 0 ? Buffer.from(bytes) : mask();
    if (clear === null) return block('secret-detected', findings, responsePolicy);
    masked.push(clear);
  }
  return inspected(masked);
}

async function everyWay(
  bytes: Buffer,
  type: string | undefined,
  codings: readonly string[],
  ports: InspectPorts,
): Promise<Inspected | Refusal> {
  const decoded = codings.length === 0 ? [] : await decodeForms(bytes, codings, MOST_DECODED);
  if (!ports.take(decoded.reduce((sum, { length }) => sum + length, 0)))
    return refusal('bodies-full', { headers: { 'retry-after': '1' } });
  const reports: { readonly reading: Reading; readonly report: BodyReport }[] = [];
  for (const form of [...decoded, bytes]) {
    for await (const reading of readingsOf(form, form !== bytes, type)) {
      const report = await inSlices(ports.inspector.scanner.scanBodyInSteps(reading.bytes, reading.type));
      if (report.findings.length > 0) reports.push({ reading, report });
    }
  }
  const { responsePolicy } = ports.inspector;
  const isUnreadable = codings.length > 0 && decoded.length === 0 && mustRead(responsePolicy);
  if (isUnreadable) {
    const findings = reports.flatMap(({ report }) => report.findings);
    if (findings.length > 0) ports.found(findings);
    return refusalOfUnreadable(findings);
  }
  const undecoded = codings.length > 0 && decoded.length === 0 ? printableName(codings.join(', ')) : null;
  const forms = [...decoded, bytes].map(
    (form): Form => ({ body: { kind: 'whole', bytes: form }, isDecoded: form !== bytes }),
  );
  const detail = joinLines(
    (decoded.length === 0 ? [bytes] : decoded).flatMap((form) => unreadOf(form, type, undecoded)),
  );
  const inspected: Inspected = {
    forms: forms as [Form, ...Form[]],
    detail,
    codings: codings.length > 0 ? printableName(codings.join(', ')) : null,
  };
  return decide(reports, inspected, ports);
}

/** Whether what cannot be searched for secrets must not leave. */
function mustRead({ high, medium }: Responses): boolean {
  return high !== 'alert' || medium !== 'alert';
}

/** A body whose coding cannot be undone. A secret in its bytes is the better reason. */
function refusalOfUnreadable(findings: readonly Finding[]): Refusal {
  if (findings.length === 0) return refusal('unreadable-body');
  return block('secret-detected', findings, { high: 'block', medium: 'block' });
}

/** What detection has to read of one form of a body. */
async function* readingsOf(form: Buffer, isDecoded: boolean, type: string | undefined): AsyncGenerator<Reading, void> {
  yield { form, isDecoded, bytes: form, type: readAs(type), encoded: asBytes };
  for (const { encoding, isDeclared } of wideReadingsOf(form, charsetOf(type))) {
    const bytes = await inSlices(asUtf8(form, encoding));
    const encoded = (masked: Uint8Array): Buffer => encode(Buffer.from(masked).toString(), encoding);
    yield { form, isDecoded, bytes, type: readAs(type), encoded: isDeclared ? encoded : null };
  }
}

function asBytes(masked: Uint8Array): Buffer {
  return Buffer.from(masked.buffer, masked.byteOffset, masked.length);
}

/** What a body is called does not keep it from being read. */
function readAs(type: string | undefined): string | undefined {
  return isInspectable(type) ? type : undefined;
}

/** What the policy makes of what was found. */
function decide(
  reports: readonly { readonly reading: Reading; readonly report: BodyReport }[],
  inspected: Inspected,
  { inspector, found }: InspectPorts,
): Inspected | Refusal {
  const { responsePolicy } = inspector;
  const findings = reports.flatMap(({ report }) => report.findings);
  if (findings.length === 0) return inspected;
  found(findings);
  const response = respond(responsePolicy, findings);
  if (response === 'pass') return inspected;
  const line = lineOf(findings, responsePolicy);
  const detail = joinLines([line, inspected.detail]);
  if (response === 'alert') return { ...inspected, detail };
  const [first] = reports;
  const encoded = reports.length === 1 ? first?.reading.encoded : null;
  // A secret in two readings of one body cannot be masked in both.
  if (response === 'block' || first === undefined || encoded == null)
    return block('secret-detected', findings, responsePolicy);
  const body: RequestBody = { kind: 'whole', bytes: encoded(first.report.mask()) };
  return { forms: [{ body, isDecoded: first.reading.isDecoded }], detail, codings: null };
}

/** What was not read of a body, for the record. @param undecoded the codings that could not be undone. */
function unreadOf(bytes: Buffer | null, type: string | undefined, undecoded: string | null): readonly string[] {
  if (undecoded !== null) return [`secrets: not looked for in a body compressed with ${undecoded}`];
  const charset = charsetOf(type);
  const what: string[] = [];
  if (!isReadCharset(charset)) what.push(`the charset ${printableName(charset ?? '')}`);
  if (!isInspectable(type) || (bytes === null ? !isTextType(type) : !isText(bytes, type)))
    what.push(`content of the type ${printableName(type ?? 'none')}`);
  return what.map((unread) => `secrets: ${unread} was read as bytes, not decoded`);
}

/** Whether all of a body can be read as text. */
function isText(bytes: Buffer, type: string | undefined): boolean {
  if (bytes.includes(0)) return encodingOf(bytes) !== 'utf-8';
  return isTextType(type) || isUtf8(bytes);
}

function joinLines(lines: readonly (string | null)[]): string | null {
  if (lines.length === 0) return null;
  const reported = [...new Set(lines)].filter((line) => line !== null);
  return reported.length === 0 ? null : reported.join('; ');
}

/** A caller's text in a form that fits a line. */
function printableName(word: string): string {
  return word.replaceAll(/[^\w,;=/+. -]/g, '?').slice(0, 60);
}
