/** URNs of RFC 7643 and RFC 7644. */
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Where the protocol is served. */
export const BASE = '/scim/v2';

/** Most resources of one page. */
export const MOST_RESULTS = 200;

const text = (name: string, description: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const flag = (name: string, description: string) => ({
  name,
  type: 'boolean',
  multiValued: false,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
});

/** Members of `name` that are stored. */
export const NAME_MEMBERS = [
  'formatted',
  'familyName',
  'givenName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
] as const;

const userSchema = {
  id: USER,
  name: 'User',
  description: 'A person that the identity provider provisions',
  attributes: [
    text('userName', 'Name under which the person signs in', { required: true, uniqueness: 'server' }),
    {
      ...text('name', 'Parts of the name of the person'),
      type: 'complex',
      subAttributes: NAME_MEMBERS.map((member) => text(member, `The part ${member} of the name`)),
    },
    text('displayName', 'Readable name of the person'),
    {
      ...text('emails', 'E-mail addresses'),
      type: 'complex',
      multiValued: true,
      subAttributes: [
        text('value', 'The address'),
        text('display', 'A readable form of it'),
        text('type', 'What it is for: work, home, other', { canonicalValues: ['work', 'home', 'other'] }),
        flag('primary', 'Whether it is the preferred one'),
      ],
    },
    flag('active', 'Whether the person is served; false revokes the subject'),
  ],
  meta: { resourceType: 'Schema', location: `${BASE}/Schemas/${USER}` },
};

const groupSchema = {
  id: GROUP,
  name: 'Group',
  description: 'A group of persons; roles are declared by its name',
  attributes: [
    text('displayName', 'Name of the group', { required: true, uniqueness: 'server' }),
    {
      ...text('members', 'Users that belong to the group'),
      type: 'complex',
      multiValued: true,
      subAttributes: [
        text('value', 'The id of the user', { mutability: 'immutable' }),
        text('display', 'The name of the user', { mutability: 'readOnly' }),
        text('type', 'User', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    },
  ],
  meta: { resourceType: 'Schema', location: `${BASE}/Schemas/${GROUP}` },
};

const userType = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Persons',
  schema: USER,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${BASE}/ResourceTypes/User` },
};

const groupType = {
  ...userType,
  id: 'Group',
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of persons',
  schema: GROUP,
  meta: { resourceType: 'ResourceType', location: `${BASE}/ResourceTypes/Group` },
};

const no = { supported: false };
const providerConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
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
  meta: { resourceType: 'ServiceProviderConfig', location: `${BASE}/ServiceProviderConfig` },
};

/** A list as RFC 7644 section 3.4.2 writes it. */
export function listOf(resources: readonly unknown[], totalResults: number, startIndex: number): object {
  return {
    schemas: [LIST_RESPONSE],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

const schemas = [userSchema, groupSchema].map((one) => ({
  ...one,
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
}));

/** What the service is, by the path below `/scim/v2`: null where there is nothing. */
export function discover(path: string): object | null {
  switch (path) {
    case '/ServiceProviderConfig':
      return providerConfig;
    case '/ResourceTypes':
      return listOf([userType, groupType], 2, 1);
    case '/ResourceTypes/User':
      return userType;
    case '/ResourceTypes/Group':
      return groupType;
    case '/Schemas':
      return listOf(schemas, schemas.length, 1);
    default:
      return schemas.find(({ id }) => path === `/Schemas/${id}`) ?? null;
  }
}
