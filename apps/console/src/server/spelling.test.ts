import { expect, it } from 'vitest';
import { spelled } from './spelling.ts';

it.each([
  ['/api/providers', '/api/providers'],
  ['/api/%70roviders', '/api/providers'],
  ['/api/projects/apollo/members/grace@example.org', '/api/projects/apollo/members/grace@example.org'],
  ['/api/projects/apollo/members/grace%40example.org', '/api/projects/apollo/members/grace@example.org'],
  ['/api/projects/apollo/members/a%2fb%7Cc', '/api/projects/apollo/members/a%2Fb%7Cc'],
  ['/api/projects/apollo/members/a%2Fb|c', '/api/projects/apollo/members/a%2Fb%7Cc'],
  ['/api/projects/apollo/members/zo%c3%ab', '/api/projects/apollo/members/zo%C3%AB'],
  ['/api/projects/apollo/members/100%25', '/api/projects/apollo/members/100%25'],
  ['/api/projects/apollo/members/%FF', '/api/projects/apollo/members/%25FF'],
  ['/api/users?search=a%20b', '/api/users?search=a%20b'],
  ['/api/users?search=a+b', '/api/users?search=a%20b'],
  ['/api/users?se%61rch=a%26limit%3D1', '/api/users?search=a%26limit%3D1'],
  ['/api/audit/decisions?from=2030-01-31T00%3A00%3A00Z', '/api/audit/decisions?from=2030-01-31T00:00:00Z'],
  ['/api/users?', '/api/users'],
])('the address %s is spelled %s', (address, one) => {
  expect(spelled(new URL(address, 'http://console.example'))).toBe(one);
});
