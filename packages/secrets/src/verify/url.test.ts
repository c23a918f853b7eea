import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { ask } from '../testing/view.ts';
import { checkUrl } from './connection.ts';
import { FOUND, MORE, NO } from './view.ts';

const password = draw('A-Za-z0-9', 14, dice('url'));

describe('checkUrl', () => {
  it.each([
    [`postgres://svc:${password}@db:5432/app`, password],
    [`mongodb+srv://svc:${password}@c0.example.net/app`, password],
    [`redis://:${password}@cache:6379/0`, password],
    [`https://oauth2:${password}@git.internal/r.git`, password],
    [`jdbc:mysql://svc:${password}@db/app`, password],
    [`amqp://svc:p@${password}@mq`, `p@${password}`],
    [`mysql://svc:${password}%21@db`, `${password}%21`],
    [`sftp://svc:${password}!$&@h`, `${password}!$&`],
    [`smtp://svc@mail.internal:${password}@smtp.internal:587`, password],
    [`mongodb://svc:${password}/${password}==@db.documents.internal:10255/?ssl=true`, `${password}/${password}==`],
    ['psql smqgwlkp://smqgwlkp:smqgwlkp@localhost:5432/issn', 'smqgwlkp'],
  ])('finds the password alone: %s', (text, value) => {
    expect(ask(checkUrl, '://', `url = "${text}"`)).toMatchObject({ verdict: FOUND, value });
  });

  const token = draw('a-z2-7', 52, dice('token'));
  const hex = draw('0-9a-f', 40, dice('token'));

  it.each([
    [`https://${token}@dev.azure.com/org/_git/r`, token],
    [`git remote add o https://${hex}@git.internal/r.git`, hex],
    [`https://${password}_${password}@git.internal`, `${password}_${password}`],
    [`https://${token}@git.internal:8443/r.git`, token],
    [`wss://${hex}@git.internal:8443`, hex],
  ])('finds a token instead of a user’s name: %s', (text, value) => {
    expect(ask(checkUrl, '://', `${text}\n`)).toMatchObject({ verdict: FOUND, value });
  });

  it.each([
    `https://${hex.slice(0, 32)}@errors.internal/12`,
    'https://continuous-integration-service@git.internal/r',
    'https://your_personal_access_token_123@git.internal/r',
    `https://git.internal/${token}@main`,
    `https://${password}@git.internal/r`,
    `s3://${token}@bucket`,
    `https://${hex.slice(0, 32)}@errors.internal:9000/12`,
  ])('takes no other name of a user for one: %s', (text) => {
    expect(ask(checkUrl, '://', `${text}\n`).verdict).toBe(NO);
  });

  it.each([
    'https://example.org/path',
    'https://example.org:8080/a@b',
    'https://user@example.org',
    'https://registry.internal:8080/@scope/package@1.2.3',
    'https://host.internal:8080/path?x=y@z.example.org:80',
    `https://user:${password}//x://y@example.org/`,
    'ssh://git@git.internal:22/repository@main',
    `https://user:${password}?`,
    `https://user:${password}/path with@blank`,
    'postgres://nuxeo:nuxeo@db/app',
    'postgres://wordpress:wordpress@db/app',
    'postgres://user:password@localhost/app',
    'postgres://postgres:postgres@localhost/app',
    'postgres://svc:svc@db/app',
    'postgres://svc:${PASSWORD}@db/app',
    'postgres://svc:<password>@db/app',
    'postgres://svc:%s@db/app',
    'https://svc:word@example.org',
    'data://x:k7Qz9mW2xT@y',
    `x://svc:${password}@db`,
    `postgres://svc:${password}`,
    `postgres://${'u'.repeat(70)}:${password}@db`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkUrl, '://', text).verdict).toBe(NO);
  });

  it('requires more for a host that is reserved for examples', () => {
    expect(ask(checkUrl, '://', 'https://svc:traverse9x@api.internal').verdict).toBe(FOUND);
    expect(ask(checkUrl, '://', 'https://svc:traverse9x@example.com').verdict).toBe(NO);
  });

  it('delays the password, not the text before it', () => {
    const user = 'postgres://svc';
    expect(ask(checkUrl, '://', user, false)).toMatchObject({ verdict: MORE });
    expect(ask(checkUrl, '://', user, false).view.hold).toBe(user.length);
    expect(ask(checkUrl, '://', `${user}:k7`, false).view.hold).toBe(user.length + 1);
  });
});
