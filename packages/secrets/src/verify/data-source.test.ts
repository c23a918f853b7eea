import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';
import { ask } from '../testing/view.ts';
import { checkNetrc, checkNetworkAddress, checkOracleLogon, checkPasswordFile } from './connection.ts';
import { FOUND, MORE, NO } from './view.ts';

const password = draw('A-Za-z0-9', 14, dice('data source'));

describe('checkNetworkAddress', () => {
  it.each([
    [`svc:${password}@tcp(db:3306)/app?parseTime=true`, '@tcp('],
    [`dsn := "svc:${password}@tcp([::1]:3306)/app"`, '@tcp('],
    [`svc:${password}@unix(/run/mysqld.sock)/app`, '@unix('],
    [`svc:${password}@(db:3306)/app`, '@('],
    [`sql.Open("mysql", "svc:${password}@/app?charset=utf8")`, '@/'],
    [`svc:${password}@acme-x1.eu-west-1.snowflakecomputing.com/app`, '.snowflakecomputing.com/'],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkNetworkAddress, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    'root@tcp(db)/app',
    'user:password@tcp(db)/app',
    'svc:%s@tcp(db)/app',
    ':abc@tcp(db)/app',
    'svc:svc@tcp(db)/app',
  ])('is nothing: %s', (text) => {
    expect(ask(checkNetworkAddress, '@tcp(', text).verdict).toBe(NO);
  });

  it.each([
    ["import x from '@/components/x.vue'", '@/'],
    ['npm:@/x', '@/'],
    ['title:wonderful@/path', '@/'],
    ['https://acme.snowflakecomputing.com/', '.snowflakecomputing.com/'],
  ])('is nothing where the sign has another use: %s', (text, keyword) => {
    expect(ask(checkNetworkAddress, keyword, text).verdict).toBe(NO);
  });
});

describe('checkOracleLogon', () => {
  it.each([
    [`jdbc:oracle:thin:svc/${password}@db:1521:orcl`, 'jdbc:oracle:thin:'],
    [`jdbc:oracle:thin:svc/${password}@//db:1521/orcl`, 'jdbc:oracle:thin:'],
    [`sqlplus svc/${password}@db`, 'sqlplus '],
    [`sqlplus -s svc/${password}@//db:1521/orcl`, 'sqlplus '],
    [`jdbc:oracle:thin:svc/"${password}"@db:1521:orcl`, 'jdbc:oracle:thin:'],
    [`expdp svc/${password}@db directory=d`, 'expdp '],
    [`sqlldr userid=svc/${password}@db`, 'userid='],
    [`connect svc/${password}@db`, 'connect '],
    [`cx_Oracle.connect("svc/${password}@db/orcl")`, 'connect("'],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkOracleLogon, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    `sqlplus svc/${password}`,
    'sqlplus scott/tiger@db',
    'sqlplus /nolog',
    'sqlplus -s user@db',
    `sqlplus svc/"${password}@db`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkOracleLogon, 'sqlplus ', text).verdict).toBe(NO);
  });

  it('waits, and delays only the password', () => {
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc', false).view.hold).toBe(11);
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc/a9', false)).toMatchObject({ verdict: MORE });
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc/a9', false).view.hold).toBe(12);
  });
});

describe('checkNetrc', () => {
  it.each([
    `machine h login svc password ${password}\n`,
    `default login svc password ${password}`,
    `machine h\n  login svc\n  password ${password}\n`,
    `machine h\nlogin svc\npassword ${password}\n`,
    `machine h\n\tlogin svc\n\taccount a\n\tpassword\t ${password}\n`.replace('password\t ', 'password  '),
    `machine h account a login svc password ${password}`,
  ])('finds the password: %j', (text) => {
    expect(ask(checkNetrc, 'password ', text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it('finds the whole of a password that is a token', () => {
    const token = draw('A-Za-z0-9', 400, dice('a long password'));
    const text = `machine h login svc password ${token}\nmachine i`;
    const scanner = createScanner({ key: Buffer.from('netrc') });
    expect(scanner.scanText(text).map(({ start, end }) => text.slice(start, end))).toEqual([token]);
  });

  it.each([`the password ${password}`, 'machine h login svc password svc', 'machine h login svc password changeme'])(
    'is nothing: %s',
    (text) => {
      expect(ask(checkNetrc, 'password ', text).verdict).toBe(NO);
    },
  );

  it('is nothing in the middle of a word', () => {
    expect(ask(checkNetrc, 'password ', `machine h login svc my-password ${password}`).verdict).toBe(NO);
  });
});

describe('checkPasswordFile', () => {
  it.each([
    [`db.internal:5432:app:svc:${password}\n`, ':5432:'],
    [`localhost:5432:*:svc:${password}`, ':5432:'],
    [`*:*:*:svc:${password}\n`, ':*:'],
    [`db.internal:7777:*:svc:${password}\n`, ':*:'],
    [`[::1]:6432:app:svc:${password}`, ':6432:'],
    [`echo "h:5432:app:svc:${password}" >> ~/.pgpass`, ':5432:'],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkPasswordFile, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    ['docker run -p 127.0.0.1:5432:5432 postgres', ':5432:'],
    ['db:5432:app:svc:password', ':5432:'],
    ['db:5432:app:svc:svc', ':5432:'],
    [`db:5432:app:svc:${password}:more`, ':5432:'],
    [`db:5432:app:${password}`, ':5432:'],
    [`db:5432::svc:${password}`, ':5432:'],
    [` :5432:app:svc:${password}`, ':5432:'],
    [`h:5432:${'d'.repeat(64)}:svc:${password}`, ':5432:'],
    ['arn:aws:s3:*:*:bucket/key', ':*:'],
  ])('is nothing: %s', (text, keyword) => {
    expect(ask(checkPasswordFile, keyword, text).verdict).toBe(NO);
  });

  it('waits, and delays only the field it reads', () => {
    const database = 'db:5432:ap';
    expect(ask(checkPasswordFile, ':5432:', database, false).view.hold).toBe(database.length);
    const user = 'db:5432:app:';
    expect(ask(checkPasswordFile, ':5432:', `${user}sv`, false).view.hold).toBe(user.length);
    expect(ask(checkPasswordFile, ':5432:', `${user}svc:k7`, false).view.hold).toBe(user.length + 4);
  });
});
