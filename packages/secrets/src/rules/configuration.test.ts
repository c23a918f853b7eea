import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Configuration of programs that everyone runs, with a password in it. */
const SECRETS = [
  [
    'databases of Rails',
    'production:\n  adapter: postgresql\n  username: shop\n  password: «named-secret [A-Za-z0-9]{20}»\n  host: db.internal\n',
  ],
  [
    'a data source of Spring',
    'spring.datasource.url=jdbc:postgresql://db:5432/shop\nspring.datasource.username=shop\nspring.datasource.password=«connection-password [A-Za-z0-9]{20}»\n',
  ],
  [
    'a data source of Spring as YAML',
    'spring:\n  datasource:\n    url: jdbc:mysql://db/shop\n    username: shop\n    password: "«named-secret [A-Za-z0-9]{20}»"\n',
  ],
  [
    'connection strings of .NET',
    '{"ConnectionStrings":{"Shop":"Server=db;Database=shop;User Id=sa;Password=«connection-password [A-Za-z0-9]{16}»;TrustServerCertificate=True"}}',
  ],
  [
    'a database of Django',
    "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'USER': 'shop', 'PASSWORD': '«named-secret [A-Za-z0-9]{20}»', 'HOST': 'db'}}",
  ],
  [
    'an environment file of Laravel',
    'DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_USERNAME=shop\nDB_PASSWORD=«named-secret [A-Za-z0-9]{16}»\n',
  ],
  [
    'a schema of Prisma',
    'datasource db {\n  provider = "postgresql"\n  url      = "postgresql://shop:«url-password [A-Za-z0-9]{20}»@db:5432/shop?schema=public"\n}\n',
  ],
  [
    'WordPress',
    "define( 'DB_NAME', 'shop' );\ndefine( 'DB_USER', 'shop' );\ndefine( 'DB_PASSWORD', '«named-secret [A-Za-z0-9]{20}»' );\n",
  ],
  [
    'a compose file',
    'services:\n  db:\n    image: postgres:18\n    environment:\n      POSTGRES_USER: shop\n      POSTGRES_PASSWORD: «named-secret [A-Za-z0-9]{20}»\n',
  ],
  ['options of a MySQL client', '[client]\nuser=shop\npassword="«named-secret [A-Za-z0-9]{20}»"\nhost=db.internal\n'],
  [
    'a password file of PostgreSQL',
    '# hostname:port:database:username:password\ndb.internal:5432:shop:shop:«password-file [A-Za-z0-9]{20}»\n',
  ],
  ['a server of Redis', 'bind 0.0.0.0\nrequirepass «named-secret [A-Za-z0-9]{24}»\nmaxmemory 1gb\n'],
  [
    'a resource of Tomcat',
    '<Resource name="jdbc/shop" username="shop" password="«connection-password [A-Za-z0-9]{20}»" url="jdbc:mysql://db/shop"/>',
  ],
  ['Hibernate', '<property name="hibernate.connection.password">«named-secret [A-Za-z0-9]{20}»</property>'],
  [
    'a client of Kafka',
    'sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="shop" password="«connection-password [A-Za-z0-9]{20}»";',
  ],
  ['an index of pip', '[global]\nindex-url = https://ci:«url-password [A-Za-z0-9]{20}»@pypi.acme.io/simple\n'],
  [
    'servers of Maven',
    '<server>\n  <id>acme</id>\n  <username>ci</username>\n  <password>«named-secret [A-Za-z0-9]{20}»</password>\n</server>',
  ],
  [
    'properties of Gradle',
    'signing.keyId=24875D73\nsigning.password=«named-secret [A-Za-z0-9]{20}»\nmavenPassword=«named-secret [A-Za-z0-9]{20}»\n',
  ],
  [
    'credentials of sbt',
    'credentials += Credentials("Nexus", "nexus.acme.io", "ci", password = "«named-secret [A-Za-z0-9]{20}»")',
  ],
  [
    'hosts of Ansible',
    'web1 ansible_host=10.0.0.4 ansible_user=deploy ansible_password=«connection-password [A-Za-z0-9]{16}» ansible_port=22',
  ],
  [
    'a unit of systemd',
    '[Service]\nEnvironment="DATABASE_URL=postgres://shop:«url-password [A-Za-z0-9]{20}»@db/shop"\nExecStart=/usr/bin/shop\n',
  ],
  [
    'a table of cron',
    '0 3 * * * PGPASSWORD=«connection-password [A-Za-z0-9]{16}» pg_dump -h db -U shop shop > /backup/shop.sql',
  ],
  ['a proxy in a shell', 'export HTTPS_PROXY=http://ci:«url-password [A-Za-z0-9]{16}»@proxy.acme.io:3128'],
  [
    'a feed of NuGet',
    '<acme>\n  <add key="Username" value="ci" />\n  <add key="ClearTextPassword" value="«named-secret [A-Za-z0-9]{20}»" />\n</acme>',
  ],
  ['a wireless network', 'network={\n  ssid="office"\n  psk="«named-secret [A-Za-z0-9]{20}»"\n}\n'],
  ['credentials of Samba', 'username=deploy\npassword=«named-secret [A-Za-z0-9]{16}»\ndomain=ACME\n'],
  ['a server of Grafana', '[security]\nadmin_user = admin\nadmin_password = «named-secret [A-Za-z0-9]{20}»\n'],
  ['a user of RabbitMQ', 'RABBITMQ_DEFAULT_USER=shop\nRABBITMQ_DEFAULT_PASS=«named-secret [A-Za-z0-9]{20}»'],
  [
    'an account in SQL',
    "CREATE USER shop WITH PASSWORD '«statement-password [A-Za-z0-9]{20}»';\nCREATE USER 'shop'@'%' IDENTIFIED BY '«statement-password [A-Za-z0-9]{20}»';",
  ],
  [
    'values of Helm',
    'postgresql:\n  auth:\n    existingSecret: ""\n    postgresPassword: «named-secret [A-Za-z0-9]{20}»\n    replicationPassword: «named-secret [A-Za-z0-9]{20}»\n',
  ],
  ['a key of an application of Rails', 'production:\n  secret_key_base: «named-secret [a-f0-9]{128}»\n'],
  [
    'a key of an application of Laravel',
    'APP_NAME=Shop\nAPP_KEY=«named-secret base64:[A-Za-z0-9+/]{43}=»\nAPP_DEBUG=false\n',
  ],
  ['a short hexadecimal password', '{"user":"shop","password":"«named-secret [a-f0-9]{20}»"}'],
] as const;

const NONE = [
  [
    'a form',
    '<input type="password" name="password" id="password" autocomplete="current-password" placeholder="Password" required>',
  ],
  [
    'translations',
    '{"login":{"password":"Passwort","forgotPassword":"Passwort vergessen?","resetToken":"Ihr Link ist abgelaufen"}}',
  ],
  [
    'types',
    'interface Login {\n  username: string;\n  password: string;\n  accessToken?: string | null;\n  refreshToken: Promise<string>;\n}',
  ],
  [
    'a schema',
    'type Mutation { login(email: String!, password: String!): AuthPayload! refreshToken(token: String!): String }',
  ],
  [
    'a table',
    'CREATE TABLE account (id uuid PRIMARY KEY, password_hash text NOT NULL, reset_token varchar(64), api_key_id uuid);',
  ],
  [
    'a description of an interface',
    'password:\n  type: string\n  format: password\n  minLength: 12\n  writeOnly: true',
  ],
  [
    'a reference of Kubernetes',
    'env:\n- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: shop-credentials\n      key: password',
  ],
  [
    'variables in a compose file',
    'environment:\n  POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?not set}\n  API_KEY: ${API_KEY:-}\n',
  ],
  [
    'files of secrets',
    'POSTGRES_PASSWORD_FILE=/run/secrets/postgres-password\nsecrets:\n  db_password:\n    file: ./db_password.txt',
  ],
  [
    'a template of an environment file',
    'DB_PASSWORD=\nAPI_KEY=your-api-key-here\nSECRET_KEY=change-me\nTOKEN=<token>\nJWT_SECRET=changeme',
  ],
  [
    'code that reads',
    "const password = await prompt('Password: ');\nconst token = req.headers.authorization?.split(' ')[1];\nconst apiKey = config.get('apiKey');",
  ],
  [
    'code that checks',
    "if (password.length < 12) throw new Error('password must have at least 12 characters');\nif (token === undefined) return null;",
  ],
  [
    'tests',
    "await login({ username: 'alice', password: 'wrong-password' });\nexpect(token).toBe('test-token');\nconst secret = 'secret';",
  ],
  [
    'words about passwords',
    'The password is stored as a hash. The API key of the customer is rotated every ninety days; a token lasts one hour.',
  ],
  ['a style sheet', '.password-field { color: var(--token-color-primary); } .token.keyword { font-weight: 600 }'],
  ['a log with masks', 'login user=alice password=******** token=[REDACTED] api_key=<hidden>'],
  ['columns', 'password_changed_at | token_expires_at | secret_version\n2026-01-02 10:11:12 | 2026-02-02 10:11:12 | 7'],
  [
    'tokens of a language',
    'token: Identifier, tokenType: "StringLiteral", tokenIndex: 1024, maxTokens: 4096, stop_token: "<|endoftext|>"',
  ],
  [
    'keys of a dictionary',
    'key: "user.profile.settings.notifications.email", primaryKey: "customer_order_line_number"',
  ],
  ['keys of a keyboard', "if (event.key === 'ArrowDown' || event.key === 'Escape') keyHandler(event.keyCode);"],
  ['a digest', 'integrity="sha384-«- [A-Za-z0-9+/]{64}»" crossorigin="anonymous"'],
  ['an identifier beside a token', 'token_id: «- {uuid}»\nsecret_version_id: «- {uuid}»\nkey_id: «- [a-f0-9]{40}»'],
  ['a number', 'api_key_count: 12345678901234567890\ntoken = order-«- [1-9]{18}»'],
] as const;

describe('configuration of programs', () => {
  it.each(SECRETS)('gives away no password of %s, and keeps the rest', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('has no password in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
