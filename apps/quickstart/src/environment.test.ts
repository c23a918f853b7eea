import { expect, it } from 'vitest';
import { selectVariables } from './environment.ts';

it('passes keys of engines and proxies on, and nothing else of the shell', () => {
  const shell = {
    OPENAI_API_KEY: 'one',
    ENGINE_KEY: 'two',
    MY_ENGINE_KEY: 'three',
    ADMIN_API_KEY: 'own',
    EMPTY_API_KEY: '',
    DATABASE_URL: 'own',
    https_proxy: 'http://proxy:3128',
    SECRET: 'x',
  };
  expect(selectVariables(shell)).toEqual({
    OPENAI_API_KEY: 'one',
    ENGINE_KEY: 'two',
    MY_ENGINE_KEY: 'three',
    https_proxy: 'http://proxy:3128',
    NO_PROXY: '127.0.0.1,localhost,::1',
  });
});

it('keeps the exceptions of the shell beside this machine', () => {
  expect(selectVariables({ HTTP_PROXY: 'http://p', no_proxy: 'engines.example' })).toEqual({
    HTTP_PROXY: 'http://p',
    NO_PROXY: 'engines.example,127.0.0.1,localhost,::1',
  });
  expect(selectVariables({ NO_PROXY: 'x' })).toEqual({});
});
