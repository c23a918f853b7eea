import type { NamedRule } from '../verify/rule.ts';
import { named } from './named-rule.ts';

/** Keys that a framework makes for each project, in an alphabet of its own. */
export const FRAMEWORK_KEYS: readonly NamedRule[] = [
  named(
    'django-secret-key',
    'Secret key of a Django project',
    'access-token',
    'https://docs.djangoproject.com/en/5.2/ref/settings/#secret-key',
    ['secret_key'],
    ['[a-z0-9!@#$%^&*(_=+)-]{50}'],
  ),
  named(
    'erlang-cookie',
    'Cookie of Erlang nodes',
    'infra-key',
    'https://www.rabbitmq.com/docs/clustering#erlang-cookie',
    ['erlang_cookie'],
    ['[A-Z]{20}'],
  ),
];
