import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { viewOf } from '../../testing/view.ts';
import { ARGUMENT, BARE, ELEMENT, type Form, LOOSE, QUOTED } from '../assigned.ts';
import { NONE, STRONG, type Strength, WEAK } from '../name.ts';
import { FOUND, type View } from '../view.ts';
import { readAssignment } from './assignment.ts';
import { cannotBeSecret, isSecretValue, isUuid } from './value.ts';

const roll = dice('value');
const mixed = draw('A-Za-z0-9', 32, roll);
const hex = draw('0-9a-f', 32, roll);

function assigned(value: string, form: Form, closer = 0x22): View {
  const view = viewOf(value);
  Object.assign(view.assigned, { from: 0, to: value.length, form, closer });
  return view;
}

function isSecret(value: string, strength: Strength = STRONG, form: Form = QUOTED): boolean {
  return isSecretValue(assigned(value, form), () => strength);
}

describe('isSecretValue', () => {
  it.each([mixed, hex, mixed.slice(0, 16), 'k7!Qz9#mW2xT', `provider_${hex}`, `${mixed}==`])(
    'takes %s under a strong name',
    (value) => {
      expect(isSecret(value)).toBe(true);
    },
  );

  it('takes base64 that begins with a solidus, and no path', () => {
    const key = `/7${draw('A-Za-z0-9+', 41, roll)}=`;
    expect(isSecret(key, STRONG, BARE)).toBe(true);
    expect(cannotBeSecret(assigned(key.slice(0, 12), BARE), () => STRONG)).toBe(false);
    for (const path of [key.slice(0, -1), `/${mixed}.${mixed}=`, '/srv/k7Qz9mW2xT/b4R8vN1=']) {
      expect(isSecret(path, STRONG, BARE)).toBe(false);
    }
  });

  it('requires more for a less specific name and notation', () => {
    for (const form of [QUOTED, BARE, ELEMENT, ARGUMENT] as const) expect(isSecret(mixed, STRONG, form)).toBe(true);
    expect(isSecret(mixed, WEAK)).toBe(true);
    expect(isSecret(mixed, NONE)).toBe(false);
    expect(isSecret(mixed, WEAK, ARGUMENT)).toBe(false);
    expect(isSecret(mixed.slice(0, 16), WEAK)).toBe(false);
    expect(isSecret(hex, STRONG, LOOSE)).toBe(false);
    expect(isSecret(hex.slice(0, 16), WEAK)).toBe(false);
    expect(isSecret('k7Qz9mW2', STRONG, BARE)).toBe(false);
  });

  it.each([
    'short7',
    'correcthorsebattery',
    'com.example.security.TokenProvider',
    '12345678901234567890',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '/etc/ssl/private/k7Qz9mW2xTp4Lr8v',
    '${K7QZ9MW2XTP4LR8V}',
    '$(k7Qz9mW2xTp4Lr8v)',
    'https://k7Qz9mW2xTp4Lr8v.io',
    'arn:aws:k7Qz9mW2xTp4Lr8v',
    'sha256-k7Qz9mW2xTp4Lr8vk7Qz9mW2',
    'vault:k7Qz9mW2xTp4Lr8v',
    'k7Qz9mW2xTp4Lr8v.pem',
    'k7Qz9mW2-example-Lr8v',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'k7(Qz9)mW2{xTp4}Lr8v',
    '--------------------',
    '01JCXE8M4T9QKZ7W3V5N2RBHGD',
    'QNAYBMKLOCPYGJ-REOHCLBHSA-N',
    `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${mixed}`,
    `MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB${mixed}`,
    `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${mixed}`,
    `MCowBQYDK2VwAyEA${mixed}`,
    `AgBy3i4OJSWK${draw('A-Za-z0-9+/', 104 - 12, roll)}`,
  ])('does not take %s for one', (value) => {
    expect(isSecret(value)).toBe(false);
  });

  it('takes private keys, and what begins like something encrypted but is short', () => {
    for (const value of [`MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${mixed}`, `MC4CAQAwBQYDK2VwBCIEI${mixed}`, `AgBy${mixed}`])
      expect(isSecret(value)).toBe(true);
  });

  it('does not take what is called for one', () => {
    expect(isSecretValue(assigned(mixed, BARE, 0x28), () => STRONG)).toBe(false);
  });
});

describe('cannotBeSecret', () => {
  it('never excludes the beginning of a secret', () => {
    for (let seed = 0; seed < 200; seed++) {
      const value = draw('A-Za-z0-9', 40, dice(`beginning ${seed}`));
      if (!isSecret(value)) continue;
      for (let at = 1; at <= value.length; at++) {
        expect(cannotBeSecret(assigned(value.slice(0, at), QUOTED), () => STRONG)).toBe(false);
      }
    }
  });

  it.each(['$', '/usr', './a', '~', 'a{', 'a(b', 'a<', 'require_consta'])('excludes %j', (value) => {
    expect(cannotBeSecret(assigned(value, QUOTED), () => STRONG)).toBe(true);
  });

  it('excludes values without an indicative name, or with a weak one in a sentence', () => {
    expect(cannotBeSecret(assigned('k7', QUOTED), () => NONE)).toBe(true);
    expect(cannotBeSecret(assigned('k7', LOOSE), () => WEAK)).toBe(true);
    expect(cannotBeSecret(assigned('k7', QUOTED), () => WEAK)).toBe(false);
    expect(cannotBeSecret(assigned('important', LOOSE), () => STRONG)).toBe(false);
    expect(cannotBeSecret(assigned('importantly', LOOSE), () => STRONG)).toBe(true);
  });
});

describe('isUuid', () => {
  it.each([
    ['0f8fad5b-d9cb-469f-a165-70867728950e', true],
    ['{0F8FAD5B-D9CB-469F-A165-70867728950E}', true],
    ['0f8fad5b-d9cb-469f-a165-70867728950', false],
    ['0f8fad5bd9cb469fa16570867728950e', false],
    ['0f8fad5b-d9cb-469f-a165-70867728950g', false],
  ])('%s: %s', (text, uuid) => {
    expect(isUuid(text)).toBe(uuid);
  });
});

it('a tag of an image is identified by its name, before the rest is weighed: tags in a text can overlap', () => {
  const view = viewOf(`image: registry.internal/auth:${mixed}`);
  const at = 'image: registry.internal/'.length;
  expect(readAssignment(view, at, at + 'auth'.length)).toBe(FOUND);
  const read = new Set<number>();
  const { bytes } = view;
  view.bytes = new Proxy(bytes, {
    get(_, place: string) {
      read.add(Number(place));
      return Reflect.get(bytes, place, bytes) as unknown;
    },
  });
  expect(isSecretValue(view, () => STRONG)).toBe(false);
  expect(Math.max(...read)).toBeLessThan(view.assigned.from);
});
