import { describe, expect, it } from 'vitest';
import { createScanner } from '../../stream/scanner.ts';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { CALL_KEYWORDS, checkConnectCall, checkWordPressSalt } from './command-line.ts';

const password = draw('A-Za-z0-9', 14, dice('call'));

describe('checkConnectCall', () => {
  it.each([
    [`mysqli_connect("db", "svc", "${password}", "app")`, 'mysqli_connect('],
    [`new mysqli('db','svc','${password}')`, 'new mysqli('],
    [`new PDO('mysql:host=db;dbname=app', 'svc', '${password}');`, 'new pdo('],
    [`new PDO($dsn, 'svc', '${password}');`, 'new pdo('],
    [`DriverManager.getConnection(\n    url, "svc", "${password}")`, 'drivermanager.getconnection('],
    [`pymysql.connect("db", "svc", "${password}", "app")`, 'pymysql.connect('],
    [`DBI->connect("dbi:mysql:app", "svc", "${password}")`, 'dbi->connect('],
    [`new Sequelize("app", "svc", "${password}", {`, 'new sequelize('],
    [`ftp_login($connection, "svc", "${password}")`, 'ftp_login('],
    [`smtp.PlainAuth("", "svc", "${password}", "mail")`, 'smtp.plainauth('],
  ])('finds the third argument: %s', (text, keyword) => {
    expect(ask(checkConnectCall, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    [`new NetworkCredential("svc", "${password}")`, 'networkcredential('],
    [`HTTPBasicAuth('svc', '${password}')`, 'basicauth('],
    [`requests.get(url, auth=("svc", "${password}"))`, 'auth=('],
    [`server.login("svc@mail.internal", "${password}")`, '.login('],
    [`req.SetBasicAuth(user, "${password}")`, 'basicauth('],
    [`cx_Oracle.connect("svc", "${password}", "db/orcl")`, 'oracle.connect('],
  ])('finds the second argument: %s', (text, keyword) => {
    expect(ask(checkConnectCall, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    'mysqli_connect($host, $user, $password)',
    'mysqli_connect("db", "root", "")',
    'mysqli_connect("db", "root", "root")',
    'mysqli_connect("db", "svc", "password")',
    'mysqli_connect("db")',
    'mysqli_connect()',
    `mysqli_connect("db" . $x, "svc", "${password}")`,
    `mysqli_connect("db\n", "svc", "${password}")`,
    `mysqli_connect("${'d'.repeat(120)}", "svc", "${password}")`,
    `mysqli_connect("db", "svc", getenv("${password}"))`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkConnectCall, 'mysqli_connect(', text).verdict).toBe(NO);
  });

  it('requires more of a password in a call with an unspecific name', () => {
    expect(ask(checkConnectCall, '.login(', 'page.login("someone", "wonderland")').verdict).toBe(NO);
  });

  it('waits, and delays only the password', () => {
    const open = 'mysqli_connect("db", "sv';
    expect(ask(checkConnectCall, 'mysqli_connect(', open, false).view.hold).toBe(open.length);
    const third = 'mysqli_connect("db", "svc", "';
    expect(ask(checkConnectCall, 'mysqli_connect(', `${third}a9`, false).view.hold).toBe(third.length);
  });

  it('is checked at every known call', () => {
    for (const keyword of CALL_KEYWORDS) {
      const text = `${keyword}"svc", "${password}", "${password}")`;
      expect(ask(checkConnectCall, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
    }
  });
});

const roll = dice('wordpress');
const salt = draw('A-Za-z0-9 !@#$%^&*()_+=<>?,.;:{}~|[`/-', 64, roll);

describe('checkWordPressSalt', () => {
  it.each([`define('AUTH_KEY', '${salt}');`, `define( 'AUTH_KEY',         '${salt}' );`])(
    'finds it whole: %s',
    (text) => {
      expect(ask(checkWordPressSalt, "auth_key'", text)).toMatchObject({ verdict: FOUND, value: salt });
    },
  );

  it.each([
    "define('AUTH_KEY', 'put your unique phrase here');",
    `define('AUTH_KEY', '${'put your unique phrase here '.repeat(3).slice(0, 64)}');`,
    `define('AUTH_KEY', '${'x'.repeat(64)}');`,
    `define('AUTH_KEY', '${salt.slice(1)}');`,
    `define('AUTH_KEY', getenv('AUTH_KEY'));`,
    `['AUTH_KEY' '${salt}']`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkWordPressSalt, "auth_key'", text).verdict).toBe(NO);
  });

  it('delays the value from its beginning while the text continues', () => {
    const text = `define('AUTH_KEY', '${salt.slice(0, 20)}`;
    expect(ask(checkWordPressSalt, "auth_key'", text, false)).toMatchObject({
      verdict: MORE,
      view: { hold: text.length - 20 },
    });
  });

  it('is asked for all eight constants', () => {
    const scanner = createScanner({ key: Buffer.from('test') });
    for (const name of ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((each) => [
      `${each}_KEY`,
      `${each}_SALT`,
    ])) {
      const text = `define( '${name}', '${salt}' );`;
      expect(scanner.scanText(text).map(({ start, end }) => text.slice(start, end))).toEqual([salt]);
    }
  });
});
