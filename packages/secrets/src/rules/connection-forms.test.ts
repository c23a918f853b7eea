import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';

const scanner = createScanner({ key: Buffer.from('connection forms') });
const roll = dice('connection forms');
const marked = dice('hexadecimal digits and stars');

/** The ways in which passwords of connections are written, `§` for the password. */
const FORMS = `
postgres://svc:§@db.internal:5432/app
postgresql+asyncpg://svc:§@10.0.0.1/app
postgresql://svc:§@/app?host=/var/run/postgresql
mysql+pymysql://svc:§@127.0.0.1:3306/x?charset=utf8
redis://:§@cache.internal:6379/0
rediss://default:§@cache.internal:6379
redis+sentinel://:§@h1:26379,h2:26379/mymaster
redis://cache.internal:6379/0?password=§&db=1
cache.internal:6380,password=§,ssl=True,abortConnect=False
amqp://svc:§@mq.internal/%2f
sqlserver://h:1433;user=sa;password=§;encrypt=true
sqlserver://h:1433;databaseName=x;user=sa;password={§};encrypt=true
jdbc:sqlserver://h:1433;databaseName=x;user=sa;password=§;encrypt=true
mssql+pyodbc:///?odbc_connect=DRIVER%3D%7BODBC+Driver+17%7D%3BSERVER%3Dh%3BUID%3Dsa%3BPWD%3D§
jdbc:mysql://h/db?user=x&amp;password=§
jdbc:mysql://address=(host=h)(port=3306)(user=x)(password=§)/db
jdbc:mysql://(host=h,port=1,user=x,password=§)/db
jdbc:oracle:thin:scott/§@//h:1521/svc
jdbc:db2://h:50000/db:user=x;password=§;
jdbc:snowflake://acme.snowflakecomputing.com/?user=x&password=§&db=y
jdbc:h2:mem:x;USER=sa;PASSWORD=§
clickhouse://h:9000?username=x&password=§
snowflake://svc:§@acme-x/db/schema?warehouse=w
svc:§@acme.snowflakecomputing.com/db?warehouse=w
ldap://cn=admin,dc=x:§@ldap.internal:389
sftp://deploy:§@files.internal:22/x
smb://ACME;deploy:§@files.internal/share
smtp://mailer%40acme.io:§@smtp.internal:587
smtp://mailer@acme.io:§@smtp.internal:587
https://oauth2:§@gitlab.internal/o/r.git
http://proxyuser:§@proxy:3128
socks5h://proxyuser:§@proxy:1080
mongodb+srv://svc:§@c0.a1.mongodb.net/db
mongodb://svc:§@h1:27017,h2:27017/db?replicaSet=rs
neo4j+s://neo4j:§@h
rtsp://admin:§@192.168.1.10:554/stream
svc:§@tcp(db:3306)/app?parseTime=true
svc:§@(db:3306)/app
svc:§@/app?charset=utf8
host=db port=5432 dbname=x user=u password=§ sslmode=require
mysql:host=localhost;dbname=x;user=u;password=§
Host=h;Port=5432;Database=x;Username=u;Password=§;Pooling=true
Server=h;Database=d;Uid=u;Pwd=§;
Driver={SQL Server};Server=h;Uid=u;Pwd={§};
DSN=mydsn;UID=u;PWD=§
Data Source=h;User ID=u;Password = §;
Provider=Microsoft.ACE.OLEDB.12.0;Data Source=x.accdb;Jet OLEDB:Database Password=§;
db.internal:5432:app:svc:§
*:*:*:postgres:§
machine api.internal login svc password §
//fs/share /mnt cifs username=u,password=§ 0 0
mysql -u root --password=§ db
mysql -u root -p§ db
redis-cli -h h -a §
openssl rsa -passin pass:§
sqlplus -s scott/§@//h:1521/x
PGPASSWORD=§
openssl enc -aes-256-cbc -pbkdf2 -k §
unzip -P § a.zip
htpasswd -b users svc §
net use Z: \\\\files\\share /user:svc §
smbclient //files/share -U svc%§
curl https://files.internal -u svc:§
lftp -u svc,§ sftp://files.internal
`
  .trim()
  .split('\n');

/** Where people write them down. A form that quotes holds a quote of its own kind. */
const CARRIERS: readonly [string, (form: string) => string][] = [
  ['alone', (form) => form],
  ['a line of an environment file', (form) => `DATABASE_URL=${form}\n`],
  ['YAML', (form) => `  dsn: ${form}\n`],
  ['source code', (form) => `const url = "${form}";\n`],
  ['a sentence', (form) => `I get ECONNREFUSED with ${form} from the pod`],
  ['JSON', (form) => JSON.stringify({ connectionString: form })],
  ['markup', (form) => `<value>${form}</value>`],
  ['Markdown', (form) => `- \`${form}\` fails`],
];

const PASSWORDS = [
  ['twelve letters and digits', () => draw('A-Za-z0-9', 12, roll)],
  ['twenty-four letters and digits', () => draw('A-Za-z0-9', 24, roll)],
  ['sixteen small letters and digits', () => draw('a-z0-9', 16, roll)],
  ['marks', () => `${draw('A-Za-z', 4, roll)}.${draw('A-Za-z0-9', 5, roll)}!${draw('0-9', 2, roll)}`],
  [
    'sixteen hexadecimal digits',
    () => `${draw('a-f', 2, marked)}${draw('0-9', 2, marked)}${draw('a-f0-9', 12, marked)}`,
  ],
  [
    'thirty-two hexadecimal digits',
    () => `${draw('0-9', 2, marked)}${draw('a-f', 2, marked)}${draw('a-f0-9', 28, marked)}`,
  ],
  ['a star', () => `${draw('A-Za-z', 4, marked)}*${draw('A-Za-z0-9', 6, marked)}!${draw('0-9', 2, marked)}`],
  ['percent escapes', () => `${draw('A-Za-z0-9', 8, roll)}%23${draw('A-Za-z0-9', 4, roll)}`],
] as const;

describe.each(CARRIERS)('in %s', (_, carry) => {
  it.each(FORMS)('finds the password alone of %s', (form) => {
    for (const [, make] of PASSWORDS) {
      const password = make();
      const text = carry(form.replace('§', password));
      expect([text, scanner.scanText(text).map(({ start, end }) => text.slice(start, end))]).toEqual([
        text,
        [password],
      ]);
    }
  });
});

describe('words in the place of a password are none', () => {
  it.each(['password', 'changeme', '<password>', '$DB_PASSWORD', 'your_password_here', 'secret'])('%s', (word) => {
    for (const form of FORMS) {
      const text = form.replace('§', word);
      expect([text, scanner.scanText(text)]).toEqual([text, []]);
    }
  });
});

describe('a stream finds what a body holds', () => {
  it.each(FORMS)('letter by letter in %s', (form) => {
    const text = `see ${form.replace('§', draw('A-Za-z0-9', 16, roll))} there\n`;
    const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
    const steps = text
      .split('')
      .map((letter) => channel.push(letter))
      .concat(channel.end());
    const digests = steps.flatMap(({ findings }) => findings.map(({ rule, digest }) => [rule, digest]));
    expect(digests).toEqual(scanner.scanText(text).map(({ rule, digest }) => [rule, digest]));
  });
});
