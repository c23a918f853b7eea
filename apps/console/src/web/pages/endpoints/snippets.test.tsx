import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changes, given, held, refused } from '../../testing/api.ts';
import { fill, show } from '../../testing/show.tsx';
import { Snippets } from './snippets.tsx';

const KEY = `gwk_${'0'.repeat(48)}`;

async function opened(gatewayUrl: string | null, tab?: string) {
  given('GET /api/session', { subject: null, roles: [], gatewayUrl });
  const { user } = show(<Snippets endpoint="chat" />);
  await user.click(screen.getByRole('button', { name: 'Call it: chat' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Call /chat' }));
  // Until the address is read, it is a guess.
  await waitFor(() => expect(dialog.queryByText(/is a guess$/) === null).toBe(gatewayUrl !== null));
  if (tab !== undefined) await user.click(dialog.getByRole('tab', { name: tab }));
  return { user, dialog };
}

describe('the lines for calling an endpoint', () => {
  it.each([
    ['curl', 'curl https://gateway.example/chat/v1/chat/completions'],
    ['TypeScript', "baseURL: 'https://gateway.example/chat/v1'"],
    ['Python', 'base_url="https://gateway.example/chat/v1"'],
  ])('are ready to copy for %s, with the address of this gateway and no key', async (tab, line) => {
    const { user, dialog } = await opened('https://gateway.example', tab);
    const panel = within(await dialog.findByRole('tabpanel'));
    await user.click(panel.getByRole('button', { name: 'Copy' }));
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain(line);
    expect(copied).toContain('GATEWAY_KEY');
    expect(await panel.findByRole('button', { name: 'Copied' })).toBeDefined();
  });

  it('say that the address is a guess where the operator named none', async () => {
    const { dialog } = await opened(null);
    expect(await dialog.findByText("The gateway's address is a guess")).toBeDefined();
    expect(dialog.getByRole('tabpanel').textContent).toContain(`http://${location.hostname}:6001/chat/v1`);
  });

  it('are reached by the arrow keys', async () => {
    const { user, dialog } = await opened('https://gateway.example');
    dialog.getByRole('tab', { name: 'curl' }).focus();
    await user.keyboard('{ArrowRight}');
    expect(dialog.getByRole('tab', { name: 'TypeScript' }).getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(dialog.getByRole('tab', { name: 'Try it' }).getAttribute('aria-selected')).toBe('true');
  });
});

describe('a call from the console', () => {
  const send = async (message?: string) => {
    const { user, dialog } = await opened('https://gateway.example', 'Try it');
    await user.type(dialog.getByLabelText(/^Your key/), KEY);
    if (message !== undefined) await fill(user, dialog.getByRole('textbox', { name: 'Message' }), message);
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    return { user, dialog };
  };
  const said = async (dialog: Awaited<ReturnType<typeof send>>['dialog']) =>
    (await dialog.findByRole('status', { name: 'Answer' })).textContent;

  it('is made with the reader’s own key, which is not shown, and shows what the engine said', async () => {
    const completion = { choices: [{ message: { content: 'Hello\u0007!' } }] };
    given('POST /api/endpoint-calls', { status: 200, fault: null, body: JSON.stringify(completion) });
    const { dialog } = await send('Say it.');
    expect(await said(dialog)).toBe('200The engine answeredHello\\u0007!');
    expect(changes()).toEqual([['POST /api/endpoint-calls', { endpoint: 'chat', key: KEY, message: 'Say it.' }]]);
    const key = dialog.getByLabelText<HTMLInputElement>(/^Your key/);
    expect([key.type, key.autocomplete]).toEqual(['password', 'off']);
  });

  it.each([
    [
      'a refusal',
      { status: 403, fault: null, body: '{"error":{"message":"No role."}}' },
      '403The call was refusedNo role.',
    ],
    ['a page', { status: 502, fault: null, body: '<html>' }, '502The call was refused<html>'],
    [
      'nothing',
      { status: null, fault: 'connect ECONNREFUSED', body: null },
      'no answerThe gateway was not reachedconnect ECONNREFUSED',
    ],
  ])('shows %s as what it is', async (_, tried, shown) => {
    given('POST /api/endpoint-calls', tried);
    const { dialog } = await send();
    expect(await said(dialog)).toBe(shown);
  });

  it('replaces the answer before, and is sent once by two presses', async () => {
    given('POST /api/endpoint-calls', { status: 200, fault: null, body: 'first' });
    const { user, dialog } = await send();
    await dialog.findByText('first');
    const letGo = held('POST /api/endpoint-calls', { status: 200, fault: null, body: 'second' });
    await user.dblClick(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(dialog.queryByText('first')).toBeNull());
    letGo();
    expect(await dialog.findByText('second')).toBeDefined();
    expect(changes()).toHaveLength(2);
  });

  it('that the console refuses marks the field', async () => {
    given('POST /api/endpoint-calls', refused(400, 'key must not be empty', { fields: { key: 'must not be empty' } }));
    const { dialog } = await send();
    expect(await dialog.findByText('must not be empty')).toBeDefined();
  });

  it('is not offered where nobody said how the gateway is reached', async () => {
    const { dialog } = await opened(null, 'Try it');
    expect(
      await dialog.findByText(/and start the console again\. Then the endpoint can be called from here\./),
    ).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Send' })).toBeNull();
  });
});
