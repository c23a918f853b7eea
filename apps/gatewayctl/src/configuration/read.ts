import { faultsIn, type InputFault } from '@gateway/contract/fields';
import { createScanner } from '@gateway/secrets';
import { Document, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { KEPT_NULLS } from '#plans';
import { type ConfigurationDocument, configurationSchema, type WholeDocument } from './document.ts';

/** A fault and its line in the file. */
export interface PlacedFault extends InputFault {
  readonly line: number;
}

/** A document that was read, or everything that is wrong with it. */
export type ReadConfiguration =
  | { readonly document: ConfigurationDocument; readonly lineOf: (path: InputFault['path']) => number }
  | {
      readonly faults: readonly PlacedFault[];
      /** The parsed value, where the text is YAML: an attempt to install a policy is recorded from it. */
      readonly value: unknown;
    };

/** Limit of alias expansions: a file of a few lines could otherwise expand to millions. */
const MOST_ALIASES = 100;

/** Parses a configuration from YAML or JSON: its syntax, its members, and that it contains no secret. */
export function readConfiguration(text: string): ReadConfiguration {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (parsed.errors.length > 0) {
    const faults = parsed.errors.map(({ pos, message }) => {
      const { line, col } = lines.linePos(pos[0]);
      return fault(line, `is not YAML at column ${col}: ${message}`);
    });
    return { faults, value: undefined };
  }
  let value: unknown;
  try {
    value = parsed.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    return { faults: [fault(1, `cannot be read: ${(error as Error).message}`)], value: undefined };
  }
  const lineOf = (path: InputFault['path']) => lineIn(parsed, lines, path);
  const placed = (one: InputFault): PlacedFault => ({ ...one, line: lineOf(one.path) });
  const secrets = secretsIn(value);
  const checked = configurationSchema.safeParse(value);
  const faults = [...(checked.success ? [] : faultsIn(checked.error)), ...secrets].map(placed);
  if (!checked.success || faults.length > 0) return { faults: faults.toSorted((a, b) => a.line - b.line), value };
  return { document: checked.data, lineOf };
}

function fault(line: number, sentence: string): PlacedFault {
  return { path: [], line, sentence: sentence.replaceAll(/\s*\n\s*/g, ' ') };
}

/** The line of the innermost part of a path that exists in the file. */
function lineIn(document: Document.Parsed, lines: LineCounter, path: InputFault['path']): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Finds secrets. Declarations are stored and shown: keys of engines are given by the name of a variable only. */
function secretsIn(value: unknown): readonly InputFault[] {
  const json = JSON.stringify(value) ?? 'null';
  const scanner = createScanner({ key: new Uint8Array(0) });
  return scanner.scanBody(Buffer.from(json), 'application/json').findings.map(({ kind, pointer }) => ({
    path: (pointer ?? '')
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    sentence: `holds what looks like a secret (${kind}); declarations are stored and displayed`,
  }));
}

/** A path as people write it: `models[2].provider`. */
export function pathText(path: InputFault['path']): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text.replace(/^\./, '') || 'the document';
}

const PRICES = ' Prices are euros per token: 0.000002 is € 2 per million tokens.';

/** The document as YAML that reads back as the same document. */
export function writeConfiguration(document: WholeDocument): string {
  const yaml = new Document(withoutNulls(document), { aliasDuplicateObjects: false });
  yaml.commentBefore =
    ' Configuration of a gateway instance. Edit it, then run: gatewayctl diff FILE, gatewayctl apply FILE';
  const models = yaml.get('models', true);
  if (isSeq(models) && models.items.length > 0) models.commentBefore = PRICES;
  return yaml.toString({ lineWidth: 0 });
}

/** Members without a value are left out, but where null says something: a plan without a cap. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null || KEPT_NULLS.includes(name))
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

/** The JSON schema of configuration files. `diff` and `apply` check the rest. */
export function configurationJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(configurationSchema, { io: 'input', unrepresentable: 'any' });
  return {
    $schema,
    title: 'Configuration of a gateway instance',
    description: 'Read by gatewayctl diff and gatewayctl apply, printed by gatewayctl export.',
    ...schema,
  };
}
