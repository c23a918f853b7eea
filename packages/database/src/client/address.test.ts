import { describe, expect, it } from 'vitest';
import { DatabaseAddressFault, parseDatabaseAddress } from './address.ts';

const PASSWORD = 'secret-of-the-test';
const CA = '-----BEGIN CERTIFICATE-----';

describe('a database address', () => {
  it('contains host, port, database, user and password', () => {
    expect(parseDatabaseAddress(`postgres://us%40er:${PASSWORD}%2F@db.example.org:6000/ga%20te`)).toEqual({
      host: 'db.example.org',
      port: 6000,
      database: 'ga te',
      user: 'us@er',
      password: `${PASSWORD}/`,
      tls: { ca: undefined },
    });
    expect(parseDatabaseAddress(' postgresql://user@localhost/gateway\n')).toMatchObject({
      port: 5432,
      password: undefined,
    });
  });

  it.each([
    ['postgres://u@localhost/d', 'localhost'],
    ['postgres://u@127.0.0.1/d', '127.0.0.1'],
    ['postgres://u@127.9.8.7:1/d', '127.9.8.7'],
    ['postgres://u@[::1]:6000/d', '::1'],
    ['postgres:///d?host=/run/postgresql&application_name=x', '/run/postgresql'],
    ['postgres://u@%2Frun%2Fpostgresql/d', '/run/postgresql'],
  ])('%s does not leave this machine, so it needs no encryption', (url, host) => {
    const named = url.startsWith('postgres:///') ? url.replace('///', '//u@/') : url;
    expect(parseDatabaseAddress(named)).toMatchObject({ host, user: 'u', database: 'd', tls: null });
  });

  it.each([
    'db',
    '10.0.0.1',
    '128.0.0.1',
    '[2001:db8::1]',
    'localhost.example.org',
    '127.0.0.1.example.org',
    '0.0.0.0',
  ])('TLS is verified for %s', (host) => {
    expect(parseDatabaseAddress(`postgres://u@${host}/d`).tls).toEqual({ ca: undefined });
    expect(parseDatabaseAddress(`postgres://u@${host}/d`, { ca: CA }).tls).toEqual({ ca: CA });
  });

  it('TLS is verified for this machine too where an authority is given', () => {
    expect(parseDatabaseAddress('postgres://u@127.0.0.1/d', { ca: CA }).tls).toEqual({ ca: CA });
  });

  it.each([
    'sslmode=disable',
    'sslmode=verify-full',
    'SSLMODE=require',
    'ssl=false',
    'sslrootcert=/x',
    'sslcert=/x',
    'sslkey=/x',
    'sslnegotiation=direct',
    'ssl_min_protocol_version=TLSv1',
    'gssencmode=disable',
    'channel_binding=disable',
    'requiressl=0',
    'application_name=x&sslmode=no',
  ])('%s is refused: the address does not decide about encryption', (parameter) => {
    const url = `postgres://u:${PASSWORD}@127.0.0.1/d?${parameter}`;
    expect(() => parseDatabaseAddress(url)).toThrow(DatabaseAddressFault);
    expect(() => parseDatabaseAddress(url)).toThrow(/does not decide about encryption.*Remove it/);
    expect(() => parseDatabaseAddress(url)).not.toThrow(PASSWORD);
  });

  it.each([
    `postgres://u:pa@ss/${PASSWORD}@localhost/d`,
    `postgres://u:pa@${PASSWORD}/word@localhost/d`,
    `postgres://u:1?${PASSWORD}@localhost:5432/d`,
    `postgres://u:1?${PASSWORD}=2@localhost:5432/d`,
    `postgres://u:p@${PASSWORD}#word@localhost/d`,
    `postgres://u:${PASSWORD}/word@localhost/d`,
  ])(
    'a password that ends the host is never shown as a host or a parameter, but its notation is explained: %s',
    (url) => {
      expect(() => parseDatabaseAddress(url)).toThrow(/has an @ behind its host\..*\/ as %2F/);
      expect(() => parseDatabaseAddress(url)).not.toThrow(PASSWORD);
    },
  );

  it('a password with special characters is decoded', () => {
    const written = 'p%40%2F%3F%23w';
    expect(parseDatabaseAddress(`postgres://u:${written}@localhost/d%40e`)).toMatchObject({
      password: 'p@/?#w',
      database: 'd@e',
    });
  });

  it.each([
    ['', /expected postgres:\/\/user/],
    ['nonsense', /expected postgres:\/\/user/],
    [`http://u:${PASSWORD}@h/d`, /must begin with postgres/],
    [`postgres://:${PASSWORD}@h/d`, /names no user/],
    [`postgres://:12345@h/d`, /names no user/],
    [`postgres://u:${PASSWORD}@h`, /names no database/],
    [`postgres://u:${PASSWORD}@h/a/b`, /names no database/],
    [`postgres://u:${PASSWORD}@/d`, /names no host/],
    [`postgres://u:${PASSWORD}@one,two/d`, /more than one host/],
    [`postgres://u:${PASSWORD}@h:99999/d`, /usable address/],
    [`postgres://u:${PASSWORD}@h/%ff`, /broken percent-encoding/],
    [`postgres://u:${PASSWORD}@h/d?host=other`, /not the folder of a socket/],
    [`postgres://u:${PASSWORD}@h/d?options=-c%20x`, /parameter options, which is not known/],
  ])('%s is refused with a sentence without the password', (url, expected) => {
    expect(() => parseDatabaseAddress(url)).toThrow(expected);
    expect(() => parseDatabaseAddress(url)).not.toThrow(PASSWORD);
  });
});
