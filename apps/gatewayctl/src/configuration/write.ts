import { Document, isSeq } from 'yaml';
import { KEPT_NULLS } from '#plans';
import type { WholeDocument } from './document.ts';

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
