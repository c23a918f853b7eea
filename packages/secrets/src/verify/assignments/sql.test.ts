import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, NO } from '../view.ts';
import { checkStatement } from './command-line.ts';

const password = draw('A-Za-z0-9', 12, dice('sql'));

describe('checkStatement', () => {
  it.each([
    [`CREATE USER svc IDENTIFIED BY '${password}';`, 'identified by '],
    [`create user svc identified by ${password};`, 'identified by '],
    [`CREATE USER svc IDENTIFIED BY "${password}"`, 'identified by '],
    [`GRANT ALL ON app.* TO 'svc'@'%' IDENTIFIED BY '${password}'`, 'identified by '],
    [`CREATE DATABASE LINK l CONNECT TO svc IDENTIFIED BY ${password} USING 'db'`, 'identified by '],
    [`ALTER USER svc IDENTIFIED WITH mysql_native_password BY '${password}'`, " by '"],
    [`ALTER USER postgres WITH PASSWORD '${password}';`, "password '"],
    [`CREATE ROLE svc LOGIN ENCRYPTED PASSWORD '${password}'`, "password '"],
    [`alter role svc with password "${password}"`, 'password "'],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkStatement, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    [`the password '${password}'`, "password '"],
    [`said by '${password}'`, " by '"],
    ["ALTER USER svc WITH PASSWORD 'changeme'", "password '"],
    ["ALTER USER svc WITH PASSWORD '$PASSWORD'", "password '"],
    ["ALTER USER svc WITH PASSWORD 'two words'", "password '"],
    [`CREATE USER svc IDENTIFIED BY PASSWORD '*${password}'`, "password '"],
    ['CREATE USER svc IDENTIFIED BY name', 'identified by '],
    [`ALTER USER svc WITH PASSWORD '${password.repeat(10)}'`, "password '"],
  ])('is nothing: %s', (text, keyword) => {
    expect(ask(checkStatement, keyword, text).verdict).toBe(NO);
  });

  it('waits, and delays the password', () => {
    const text = "ALTER USER svc WITH PASSWORD '";
    expect(ask(checkStatement, "password '", `${text}a9`, false).view.hold).toBe(text.length);
    const bare = 'CREATE USER svc IDENTIFIED BY ';
    expect(ask(checkStatement, 'identified by ', bare, false).view.hold).toBe(bare.length);
  });
});
