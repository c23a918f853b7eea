import { describe, expect, it } from 'vitest';
import { checkPolicySet } from './check.ts';
import { findMentionedNames, plain } from './request.ts';

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['::ffff:0:1', '::ffff:0:1'],
  ['64:ff9b::ffff:10.0.0.1', '64:ff9b::ffff:10.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
])('a policy receives %s as %s', (address, expected) => {
  expect(plain(address)).toBe(expected);
});

function namesIn(text: string) {
  const check = checkPolicySet(text);
  if (!check.ok) throw new Error(JSON.stringify(check.faults));
  return findMentionedNames(check.policies).filter(({ type }) => type !== 'Action');
}

describe('the names that policies mention', () => {
  it('are found in scopes and conditions, each with its position', () => {
    const text = [
      'forbid (principal == Subject::"ada", action, resource);',
      'forbid (principal in Role::"auditeur", action == Action::"inference:appeler", resource)',
      '  unless { [Endpoint::"chat", Endpoint::"code"].contains(resource) || principal == Subject::"alan" };',
    ].join('\n');
    expect(namesIn(text)).toEqual([
      { type: 'Subject', id: 'ada', line: 1, column: 22 },
      { type: 'Role', id: 'auditeur', line: 2, column: 22 },
      { type: 'Endpoint', id: 'chat', line: 3, column: 13 },
      { type: 'Endpoint', id: 'code', line: 3, column: 31 },
      { type: 'Subject', id: 'alan', line: 3, column: 84 },
    ]);
  });
  it('are listed once, even if they occur repeatedly', () => {
    expect(
      namesIn('forbid (principal == Subject::"a", action, resource) when { principal == Subject::"a" };'),
    ).toHaveLength(1);
  });
  it('are listed at the policy where they are written in another way', () => {
    expect(namesIn('\nforbid (principal == Subject :: "a", action, resource);')).toEqual([
      { type: 'Subject', id: 'a', line: 2, column: 1 },
    ]);
  });
});
