import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { ask } from '../testing/view.ts';
import { checkConnectCall, checkNetrc, checkNetworkAddress, checkOracleLogon } from './data-source.ts';
import { FOUND, MORE, NO } from './view.ts';

const password = draw('A-Za-z0-9', 14, dice('data source'));

describe('checkNetworkAddress', () => {
  it.each([
    [`svc:${password}@tcp(db:3306)/app?parseTime=true`, '@tcp('],
    [`dsn := "svc:${password}@tcp([::1]:3306)/app"`, '@tcp('],
    [`svc:${password}@unix(/run/mysqld.sock)/app`, '@unix('],
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
});

describe('checkOracleLogon', () => {
  it.each([
    [`jdbc:oracle:thin:svc/${password}@db:1521:orcl`, 'jdbc:oracle:thin:'],
    [`jdbc:oracle:thin:svc/${password}@//db:1521/orcl`, 'jdbc:oracle:thin:'],
    [`sqlplus svc/${password}@db`, 'sqlplus '],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkOracleLogon, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([`sqlplus svc/${password}`, 'sqlplus scott/tiger@db', 'sqlplus /nolog', 'sqlplus -s user@db'])(
    'is nothing: %s',
    (text) => {
      expect(ask(checkOracleLogon, 'sqlplus ', text).verdict).toBe(NO);
    },
  );

  it('waits, and holds the password alone', () => {
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc', false).view.hold).toBe(11);
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc/a9', false)).toMatchObject({ verdict: MORE });
    expect(ask(checkOracleLogon, 'sqlplus ', 'sqlplus svc/a9', false).view.hold).toBe(12);
  });
});

describe('checkNetrc', () => {
  it.each([`machine h login svc password ${password}\n`, `default login svc password ${password}`])(
    'finds the password: %s',
    (text) => {
      expect(ask(checkNetrc, ' password ', text)).toMatchObject({ verdict: FOUND, value: password });
    },
  );

  it.each([`the password ${password}`, 'machine h login svc password svc', 'machine h login svc password changeme'])(
    'is nothing: %s',
    (text) => {
      expect(ask(checkNetrc, ' password ', text).verdict).toBe(NO);
    },
  );
});

describe('checkConnectCall', () => {
  it.each([
    [`mysqli_connect("db", "svc", "${password}", "app")`, 'mysqli_connect('],
    [`new mysqli('db','svc','${password}')`, 'new mysqli('],
    [`new PDO('mysql:host=db;dbname=app', 'svc', '${password}');`, 'new pdo('],
  ])('finds the third literal: %s', (text, keyword) => {
    expect(ask(checkConnectCall, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    'mysqli_connect($host, $user, $password)',
    'mysqli_connect("db", "root", "")',
    'mysqli_connect("db", "root", "root")',
    'mysqli_connect("db", "svc", "password")',
    'mysqli_connect("db")',
  ])('is nothing: %s', (text) => {
    expect(ask(checkConnectCall, 'mysqli_connect(', text).verdict).toBe(NO);
  });

  it('waits, and holds nothing but the third', () => {
    const open = 'mysqli_connect("db", "sv';
    expect(ask(checkConnectCall, 'mysqli_connect(', open, false).view.hold).toBe(open.length);
    const third = 'mysqli_connect("db", "svc", "';
    expect(ask(checkConnectCall, 'mysqli_connect(', `${third}a9`, false).view.hold).toBe(third.length);
  });
});
