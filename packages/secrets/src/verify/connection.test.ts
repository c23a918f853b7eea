import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';
import { ask } from '../testing/view.ts';
import { checkConnectionPassword } from './connection.ts';
import { FOUND, MORE, NO } from './view.ts';

const password = draw('A-Za-z0-9', 14, dice('connection'));

describe('checkConnectionPassword', () => {
  it.each([
    `Server=db;Database=app;User Id=svc;Password=${password};Encrypt=True`,
    `Data Source=db;Initial Catalog=app;uid=svc;password="${password}"`,
    `jdbc:postgresql://db/app?user=svc&password=${password}`,
    `jdbc:sqlserver://db;databaseName=app;user=svc;password=${password};`,
    `host=db user=svc password=${password} dbname=app`,
    `host=db user=svc password='${password}' dbname=app`,
    `redis://cache:6379?password=${password}`,
    `cache.internal:6380,password=${password},ssl=True,abortConnect=False`,
    `jdbc:sqlserver://db;user=svc;password={${password}};encrypt=true`,
    `jdbc:mysql://address=(host=db)(user=svc)(password=${password})/app`,
    `jdbc:mysql://(host=db,user=svc,password=${password})/app`,
    `<c>user=svc;password=${password}</c>`,
    `connectionString="Data Source=.;User ID=sa;Password=&quot;${password}&quot;"`,
    `wget --user=svc --password=${password} https://h`,
    `PGPASSWORD=${password} psql`,
    `spring.datasource.password=${password}`,
  ])('finds the password: %s', (text) => {
    expect(ask(checkConnectionPassword, 'password=', text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it('finds the whole of a password that is a token', () => {
    const token = draw('A-Za-z0-9', 400, dice('a long password'));
    const text = `Server=db;User Id=svc;Password=${token};Encrypt=True`;
    const scanner = createScanner({ key: Buffer.from('connection') });
    expect(scanner.scanText(text).map(({ start, end }) => text.slice(start, end))).toEqual([token]);
  });

  it.each([
    [`?odbc_connect=SERVER%3Ddb%3BUID%3Dsa%3BPWD%3D${password}`, 'pwd%3d'],
    [`?odbc_connect=SERVER%3Ddb%3BUID%3Dsa%3BPWD%3D${password}%3BEncrypt%3Dyes`, 'pwd%3d'],
    [`Data Source=db;User ID=svc;Password = ${password};`, 'password ='],
    [`Driver={SQL Server};Server=db;Uid=svc;Pwd={${password}};`, 'pwd='],
  ])('finds the password in another way of writing: %s', (text, keyword) => {
    expect(ask(checkConnectionPassword, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    [`var user = login; password = ${password}`, 'an assignment, no list'],
    ['new User { Name = model.Name, Password = model.Password }', 'a member of an object'],
  ])('is nothing with blanks around the sign in %j: %s', (text) => {
    expect(ask(checkConnectionPassword, 'password =', text).verdict).toBe(NO);
  });

  it.each([
    [`password=${password}`, 'no owner is named'],
    [`Server=db\npassword=${password}`, 'that was another line'],
    ['Server=db;User Id=svc;Password=svc;', 'the name of the user'],
    ['Server=db;User Id=svc;Password=secret;', 'a word'],
    ['Server=db;User Id=svc;Password={0};', 'a template'],
    ['host=db user=svc password=$DB_PASSWORD', 'a variable'],
    ['Server=db;Password=your_password_here;', 'a placeholder'],
    ['Server=db;Password=password=password=password=', 'words again and again'],
  ])('is nothing in %j: %s', (text) => {
    expect(ask(checkConnectionPassword, 'password=', text).verdict).toBe(NO);
  });

  it('waits for the end of the password, and delays it', () => {
    const text = 'Server=db;Password=';
    expect(ask(checkConnectionPassword, 'password=', `${text}x9`, false)).toMatchObject({ verdict: MORE });
    expect(ask(checkConnectionPassword, 'password=', `${text}x9`, false).view.hold).toBe(text.length);
    const list = 'cache:6380,password=';
    expect(ask(checkConnectionPassword, 'password=', `${list}${password},ss`, false)).toMatchObject({ verdict: MORE });
    const encoded = 'UID%3Dsa%3BPWD%3D';
    expect(ask(checkConnectionPassword, 'pwd%3d', `${encoded}${password}%3`, false)).toMatchObject({ verdict: MORE });
    const quote = 'uid=svc;password=&quo';
    expect(ask(checkConnectionPassword, 'password=', quote, false).view.hold).toBe(quote.length);
  });
});
