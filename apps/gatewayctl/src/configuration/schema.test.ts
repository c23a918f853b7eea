import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationJsonSchema } from './schema.ts';

const PUBLISHED = new URL('../../../../docs/configuration.schema.json', import.meta.url);

it('the published schema is the one that files are checked against (UPDATE_DOCS=1 writes it)', () => {
  const schema = `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PUBLISHED, schema);
  expect(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).toEqual(JSON.parse(schema));
});

it('completes members, requires what has no default, and knows the roles', () => {
  expect(configurationJsonSchema()).toMatchObject({
    additionalProperties: false,
    required: ['version'],
    properties: {
      providers: { items: { required: ['slug', 'name', 'baseUrl'], additionalProperties: false } },
      models: { items: { required: ['provider', 'slug', 'name', 'inputPrice', 'outputPrice'] } },
      roles: { items: { properties: { role: { enum: expect.arrayContaining(['auditeur']) as unknown[] } } } },
      plans: { items: { required: ['slug', 'name', 'monthlyCap'] } },
    },
  });
});
