import { describe, expect, it } from 'vitest';
import { choiceOf, chooseModel, findModel } from './settings.ts';

describe('the model to begin with', () => {
  const models = [
    { name: 'Completer', endpoint: 'https://h/v1', roles: ['autocomplete'] },
    { name: 'Coder', model: 'vendor/coder', endpoint: 'https://h/v1' },
    { name: 'vendor/coder', model: 'other', endpoint: 'https://h/v1' },
  ].map((one) => choiceOf(one, null, null));

  it.each([
    [null, null, 'Coder'],
    [null, 'completer', 'Completer'],
    ['CODER', 'completer', 'Coder'],
    ['VENDOR/coder', null, 'vendor/coder'],
    ['other', null, 'vendor/coder'],
  ])('with --model %s and the agent’s %s is %s', (option, agent, name) => {
    expect(chooseModel(models, { option, agent }).name).toBe(name);
  });

  it.each([
    ['', /^--model : no model has this name/],
    ['Code', /^--model Code: no model has this name\. There are: Completer, Coder \(vendor\/coder\), /],
  ])('is never one that was not asked for: %j', (option, message) => {
    expect(() => chooseModel(models, { option, agent: 'coder' })).toThrow(message);
    expect(findModel(models, option)).toBeNull();
  });

  it('is none of a project that nobody agreed to', () => {
    expect(() => chooseModel(models, { option: 'helper', agent: null }, ['Helper'])).toThrow(
      'The model Helper is one that this project adds and nobody agreed to. See it and agree: gw trust',
    );
    expect(() => chooseModel([], { option: null, agent: null }, ['Helper'])).toThrow('You have configured no model');
    expect(chooseModel(models, { option: null, agent: null }, ['Helper']).name).toBe('Coder');
  });
});

describe('a model', () => {
  it.each([
    ['demo', 'https://gateway.example/demo/v1', true],
    ['https://gateway.example/demo/v1', 'https://gateway.example/demo/v1', true],
    ['https://gateway.example.evil/v1', 'https://gateway.example.evil/v1', false],
    ['https://other.example/v1', 'https://other.example/v1', false],
  ])('at %s is called at %s', (endpoint, address, atGateway) => {
    const gateway = 'https://gateway.example';
    expect(choiceOf({ name: 'a', endpoint }, gateway, gateway)).toMatchObject({ address, atGateway });
  });
});
