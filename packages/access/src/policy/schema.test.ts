import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { POLICY_SCHEMA } from './schema.ts';

const PUBLISHED = new URL('../../../../docs/policy.cedarschema', import.meta.url);

it('the published schema is the one policies are checked against (UPDATE_DOCS=1 writes it)', () => {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PUBLISHED, POLICY_SCHEMA);
  expect(readFileSync(PUBLISHED, 'utf8')).toBe(POLICY_SCHEMA);
});
