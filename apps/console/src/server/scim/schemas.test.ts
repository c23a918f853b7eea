import { expect, it } from 'vitest';
import { discover, GROUP, USER } from './schemas.ts';

/** As a client reads it. */
const read = (path: string): unknown => JSON.parse(JSON.stringify(discover(path)));

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly mutability: string;
  readonly returned: string;
  readonly uniqueness?: string;
  readonly subAttributes?: readonly Attribute[];
  readonly [more: string]: unknown;
}

const inShort = ({ name, type, multiValued, mutability, subAttributes = [] }: Attribute): readonly string[] => [
  `${name}: ${type}${multiValued ? '[]' : ''} ${mutability}`,
  ...subAttributes.flatMap(inShort).map((line) => `${name}.${line}`),
];

it.each([
  [
    USER,
    'User',
    [
      'userName: string readWrite',
      'name: complex readWrite',
      'name.formatted: string readWrite',
      'name.familyName: string readWrite',
      'name.givenName: string readWrite',
      'name.middleName: string readWrite',
      'name.honorificPrefix: string readWrite',
      'name.honorificSuffix: string readWrite',
      'displayName: string readWrite',
      'emails: complex[] readWrite',
      'emails.value: string readWrite',
      'emails.display: string readWrite',
      'emails.type: string readWrite',
      'emails.primary: boolean readWrite',
      'active: boolean readWrite',
    ],
  ],
  [
    GROUP,
    'Group',
    [
      'displayName: string readWrite',
      'members: complex[] readWrite',
      'members.value: string immutable',
      'members.display: string readOnly',
      'members.type: string immutable',
    ],
  ],
])('the schema %s lists what is stored, in the form of RFC 7643', (id, name, attributes) => {
  const schema = read(`/Schemas/${id}`) as { readonly attributes: readonly Attribute[] };
  expect(schema).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: expect.any(String) as string,
    attributes: expect.any(Array) as unknown[],
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${id}` },
  });
  expect(schema.attributes.flatMap(inShort)).toEqual(attributes);
  expect(schema.attributes[0]).toEqual({
    name: attributes[0]?.split(':')[0],
    type: 'string',
    multiValued: false,
    description: expect.stringMatching(/^Name /) as string,
    required: true,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'server',
  });
});

it('the schema of users says what an address is for, and that a flag is no text', () => {
  const { attributes } = read(`/Schemas/${USER}`) as { readonly attributes: readonly Attribute[] };
  const emails = attributes.find(({ name }) => name === 'emails');
  expect(emails).toMatchObject({ required: false, returned: 'default', uniqueness: 'none' });
  expect(emails?.subAttributes?.find(({ name }) => name === 'type')).toMatchObject({
    canonicalValues: ['work', 'home', 'other'],
    caseExact: false,
  });
  expect(attributes.find(({ name }) => name === 'active')).toEqual({
    name: 'active',
    type: 'boolean',
    multiValued: false,
    description: 'Whether the person is served; false revokes the subject',
    required: false,
    mutability: 'readWrite',
    returned: 'default',
  });
});

it('the lists contain the schemas and the resource types, and each has its own address', () => {
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Persons',
    schema: USER,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: '/scim/v2/ResourceTypes/User' },
  };
  const group = {
    ...user,
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Groups of persons',
    schema: GROUP,
    meta: { resourceType: 'ResourceType', location: '/scim/v2/ResourceTypes/Group' },
  };
  const list = (...Resources: readonly unknown[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 2,
    startIndex: 1,
    itemsPerPage: 2,
    Resources,
  });
  expect([read('/ResourceTypes/User'), read('/ResourceTypes/Group')]).toEqual([user, group]);
  expect(read('/ResourceTypes')).toEqual(list(user, group));
  expect(read('/Schemas')).toEqual(list(read(`/Schemas/${USER}`), read(`/Schemas/${GROUP}`)));
  expect(['/', '/Schemas/', '/Schemas/User', '/ResourceTypes/', '/Users', ''].map(discover)).toEqual(
    Array(6).fill(null),
  );
});

it('the configuration says what is supported', () => {
  const no = { supported: false };
  expect(read('/ServiceProviderConfig')).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of CONSOLE_SCIM_TOKEN or CONSOLE_SCIM_TOKEN_FILE',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
  });
});
