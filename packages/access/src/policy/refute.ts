import { isIP } from 'node:net';
import type { Cedar } from './engine.ts';
import { actionOf, type EntityName, type PolicyRequest, plain, principalOf, resourceOf, rolesOf } from './request.ts';

const DAY = 86_400_000;
const UNITS = [DAY, 3_600_000, 60_000, 1000, 1];

/**
 * Whether a text matches a `like` pattern. Between two wildcards the first match is as good as any other, so one pass over the
 * text suffices for any pattern.
 */
export function fitsPattern(text: string, pattern: readonly Cedar.PatternElem[]): boolean {
  const parts = literalParts(pattern);
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** The fixed parts before, between and after the wildcards. */
function literalParts(pattern: readonly Cedar.PatternElem[]): string[] {
  const parts = [''];
  for (const element of pattern) {
    if (element === 'Wildcard') parts.push('');
    else parts[parts.length - 1] += element.Literal;
  }
  return parts;
}

/** What a condition is worth where that is certain, and evaluating it cannot err. Everything else is left to the engine. */
type Known = string | boolean | EntityName | Network | Moment;
const UNSURE = Symbol('only the engine can decide');
type Value = Known | typeof UNSURE;

/**
 * Whether a policy certainly does not apply: one of its conditions fails, and none before it could err. The engine costs some 50
 * µs a request; most conditions compare a text, a network or an instant, so those are decided here. This may only ever report
 * that a policy is silent; a property test compares it with the engine's own decision.
 */
export function refutes(conditions: readonly Cedar.Clause[], request: PolicyRequest): boolean {
  for (const { kind, body } of conditions) {
    const value = valueOf(body, request);
    if (typeof value !== 'boolean') return false;
    if (value !== (kind === 'when')) return true;
  }
  return false;
}

type Node = Readonly<Record<string, unknown>>;
type Operands = { readonly left: unknown; readonly right: unknown };
type Form = (operand: never, request: PolicyRequest) => Value;

const FORMS: Readonly<Record<string, Form>> = {
  Value: (literal: unknown) => literalOf(literal),
  Var: (name: string, request) => variable(name, request),
  '.': ({ left, attr }: { left: unknown; attr: unknown }, request) => attribute(left, attr, request),
  has: ({ left, attr }: { left: unknown; attr: unknown }, request) => presence(left, attr, request),
  '==': ({ left, right }: Operands, request) => equality(valueOf(left, request), valueOf(right, request)),
  '!=': ({ left, right }: Operands, request) => not(equality(valueOf(left, request), valueOf(right, request))),
  '!': ({ arg }: { arg: unknown }, request) => not(valueOf(arg, request)),
  '&&': ({ left, right }: Operands, request) => {
    const first = valueOf(left, request);
    return first === true ? valueOf(right, request) : first === false ? false : UNSURE;
  },
  '||': ({ left, right }: Operands, request) => {
    const first = valueOf(left, request);
    return first === false ? valueOf(right, request) : first === true ? true : UNSURE;
  },
  in: ({ left, right }: Operands, request) => {
    const one: Value = valueOf(left, request);
    return someOf(elementsOf(right, request) ?? [valueOf(right, request)], (other) => membership(one, other, request));
  },
  contains: ({ left, right }: Operands, request) => {
    const elements = elementsOf(left, request);
    const wanted: Value = valueOf(right, request);
    return elements === null ? UNSURE : someOf(elements, (element) => equality(element, wanted));
  },
  is: ({ left, entity_type, in: within }: { left: unknown; entity_type: string; in?: unknown }, request) => {
    const entity = valueOf(left, request);
    return isEntity(entity) && within === undefined ? entity.type === entity_type : UNSURE;
  },
  'if-then-else': (node: { if: unknown; then: unknown; else: unknown }, request) => {
    const chosen = valueOf(node.if, request);
    return typeof chosen === 'boolean' ? valueOf(chosen ? node.then : node.else, request) : UNSURE;
  },
  '<': (operands: Operands, request) => compareOperands(operands, request, (difference) => difference < 0),
  '<=': (operands: Operands, request) => compareOperands(operands, request, (difference) => difference <= 0),
  '>': (operands: Operands, request) => compareOperands(operands, request, (difference) => difference > 0),
  '>=': (operands: Operands, request) => compareOperands(operands, request, (difference) => difference >= 0),
  ip: (words: unknown[]) => literal(words, networkOf),
  datetime: (words: unknown[]) => literal(words, instantOf),
  duration: (words: unknown[]) => literal(words, durationOf),
  toTime: ([instant]: unknown[], request) => ofInstant(valueOf(instant, request), timeOf),
  toDate: ([instant]: unknown[], request) => ofInstant(valueOf(instant, request), dateOf),
  isInRange: ([one, other]: unknown[], request) => {
    const network: Value = valueOf(one, request);
    const range: Value = valueOf(other, request);
    return isNetwork(network) && isNetwork(range) ? liesIn(network, range) : UNSURE;
  },
  like: ({ left, pattern }: { left: unknown; pattern: Cedar.PatternElem[] }, request) => {
    const text = valueOf(left, request);
    return typeof text === 'string' ? fitsPattern(text, pattern) : UNSURE;
  },
};

function valueOf(node: unknown, request: PolicyRequest): Value {
  const [form, ...more] = Object.keys(node as Node);
  if (form === undefined || more.length > 0 || !Object.hasOwn(FORMS, form)) return UNSURE;
  return (FORMS[form] as Form)((node as Node)[form] as never, request);
}

function literalOf(literal: unknown): Value {
  if (typeof literal === 'string' || typeof literal === 'boolean') return literal;
  if (typeof literal !== 'object' || literal === null || !('__entity' in literal)) return UNSURE;
  return literal.__entity as EntityName;
}

function variable(name: string, request: PolicyRequest): Value {
  if (name === 'principal') return principalOf(request);
  if (name === 'action') return actionOf(request);
  return name === 'resource' ? resourceOf(request) : UNSURE;
}

function variableIn(node: unknown): unknown {
  return (node as { readonly Var?: unknown }).Var;
}

function attribute(left: unknown, name: unknown, { call, resource }: PolicyRequest): Value {
  if (variableIn(left) === 'context') {
    if (name === 'time') return { instant: call.at.getTime() };
    if (name === 'sourceAddress') return (call.sourceAddress && networkOf(plain(call.sourceAddress))) || UNSURE;
    if (name === 'method') return call.method;
    if (name === 'path') return call.path;
    return name === 'session' && call.session !== null ? call.session : UNSURE;
  }
  if (variableIn(left) !== 'resource' || resource.type !== 'Endpoint') return UNSURE;
  if (name === 'model') return resource.model;
  return name === 'provider' ? resource.provider : UNSURE;
}

function presence(left: unknown, attr: unknown, { call }: PolicyRequest): Value {
  const name: unknown = Array.isArray(attr) && attr.length === 1 ? attr[0] : attr;
  return variableIn(left) === 'context' && name === 'session' ? call.session !== null : UNSURE;
}

function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : UNSURE;
}

/** Cedar's `==` never errs; values of two kinds are not equal. */
function equality(one: Value, other: Value): Value {
  if (one === UNSURE || other === UNSURE) return UNSURE;
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (isEntity(one) && isEntity(other)) return same(one, other);
  if (isNetwork(one) && isNetwork(other)) return sameNetwork(one, other);
  const difference = isMoment(one) && isMoment(other) ? compareMoments(one, other) : null;
  return difference === null ? UNSURE : difference === 0;
}

/** Only a subject has anything above it: its roles. */
function membership(one: Value, other: Value, request: PolicyRequest): Value {
  if (!isEntity(one) || !isEntity(other)) return UNSURE;
  if (same(one, other)) return true;
  return same(one, principalOf(request)) ? rolesOf(request).some((role) => same(role, other)) : UNSURE;
}

function compareOperands(
  { left, right }: Operands,
  request: PolicyRequest,
  holds: (difference: number) => boolean,
): Value {
  const one: Value = valueOf(left, request);
  const other: Value = valueOf(right, request);
  const difference = isMoment(one) && isMoment(other) ? compareMoments(one, other) : null;
  return difference === null ? UNSURE : holds(difference);
}

/** The elements of a set literal, or null for anything else. */
function elementsOf(node: unknown, request: PolicyRequest): Value[] | null {
  const { Set: written } = node as { readonly Set?: unknown };
  return Array.isArray(written) ? written.map((element) => valueOf(element, request)) : null;
}

function someOf(values: readonly Value[], holds: (value: Value) => Value): Value {
  const held = values.map(holds);
  return held.includes(UNSURE) ? UNSURE : held.includes(true);
}

const literals = new WeakMap<object, Value>();

/** A literal's value, read once: its node lives as long as the compiled set does. */
function literal(words: readonly unknown[], read: (text: string) => Known | null): Value {
  const known = literals.get(words);
  if (known !== undefined) return known;
  const text: unknown = (words[0] as { readonly Value?: unknown } | undefined)?.Value;
  const value = (typeof text === 'string' && words.length === 1 && read(text)) || UNSURE;
  literals.set(words, value);
  return value;
}

function ofInstant(value: Value, part: (instant: { readonly instant: number }) => Moment): Value {
  return typeof value === 'object' && 'instant' in value ? part(value) : UNSURE;
}

function isEntity(value: Value): value is EntityName {
  return typeof value === 'object' && 'id' in value;
}

function isNetwork(value: Value): value is Network {
  return typeof value === 'object' && 'family' in value;
}

function isMoment(value: Value): value is Moment {
  return typeof value === 'object' && ('instant' in value || 'duration' in value);
}

function same(one: EntityName, other: EntityName): boolean {
  return one.type === other.type && one.id === other.id;
}

/** A network, or one address, as the engine's `ip("…")` reads it. */
export interface Network {
  readonly family: 4 | 6;
  readonly address: bigint;
  /** Bits that all its addresses share. */
  readonly prefix: number;
}

/** @returns null for what the engine may read in another way: it is then left to the engine */
export function networkOf(text: string): Network | null {
  const [written = '', prefix, ...more] = text.split('/');
  const family = isIP(written);
  // The engine takes no IPv4 address within an IPv6 one, and no zone.
  if (more.length > 0 || family === 0 || /%|:.*\./.test(written)) return null;
  const width = family === 4 ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return null;
  return family === 4
    ? { family: 4, address: number(written.split('.').map(Number), 8), prefix: bits }
    : { family: 6, address: number(groupsOf(written), 16), prefix: bits };
}

/** Whether every address of one network is in the other. */
export function liesIn(one: Network, other: Network): boolean {
  if (one.family !== other.family || one.prefix < other.prefix) return false;
  const rest = BigInt((one.family === 4 ? 32 : 128) - other.prefix);
  return one.address >> rest === other.address >> rest;
}

export function sameNetwork(one: Network, other: Network): boolean {
  return one.family === other.family && one.address === other.address && one.prefix === other.prefix;
}

/** The eight groups of an IPv6 address that is written without an IPv4 one in it. */
export function groupsOf(written: string): number[] {
  const [before = [], after = []] = written.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

function number(parts: readonly number[], bits: number): bigint {
  return parts.reduce((sum, part) => (sum << BigInt(bits)) | BigInt(part), 0n);
}

/** Milliseconds since the epoch, or of a span. */
type Moment = { readonly instant: number } | { readonly duration: number };

/** `datetime("…")` as the engine reads it. @returns null for what is left to the engine */
export function instantOf(text: string): Moment | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$/.test(text)) return null;
  const instant = Date.parse(text);
  // `Date` reads February 30 as March 2, and 24:00 as the next day: the engine refuses both.
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(text.slice(0, 19))) return null;
  return { instant };
}

/** `duration("…")`, likewise. */
export function durationOf(text: string): Moment | null {
  const found = /^(-?)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (found === null || !/\d/.test(text)) return null;
  const sum = UNITS.reduce((total, unit, index) => total + unit * Number(found[index + 2] ?? 0), 0);
  if (!Number.isSafeInteger(sum)) return null;
  return { duration: found[1] === '-' ? 0 - sum : sum };
}

/** What has passed of an instant's day (UTC). */
export function timeOf({ instant }: { readonly instant: number }): Moment {
  return { duration: instant - Math.floor(instant / DAY) * DAY };
}

/** The beginning of an instant's day (UTC). */
export function dateOf({ instant }: { readonly instant: number }): Moment {
  return { instant: Math.floor(instant / DAY) * DAY };
}

/** Less than zero, zero or more; null where the two are not of one kind. */
export function compareMoments(one: Moment, other: Moment): number | null {
  if ('instant' in one && 'instant' in other) return one.instant - other.instant;
  return 'duration' in one && 'duration' in other ? one.duration - other.duration : null;
}
