import { describe, expect, it } from 'vitest';
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
  ])('finds the password: %s', (text) => {
    expect(ask(checkConnectionPassword, 'password=', text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    [`password=${password}`, 'nothing says whose it is'],
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

  it('waits for the end of the password, and holds it', () => {
    const text = 'Server=db;Password=';
    expect(ask(checkConnectionPassword, 'password=', `${text}x9`, false)).toMatchObject({ verdict: MORE });
    expect(ask(checkConnectionPassword, 'password=', `${text}x9`, false).view.hold).toBe(text.length);
  });
});
