import { refusal } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { notice, refusalNotice } from './notice.ts';

const browser = new Request('https://console.example/', { headers: { accept: 'text/html,*/*' } });
const program = new Request('https://console.example/', { headers: { accept: 'application/json' } });

describe('a notice', () => {
  it('is a page for a browser, with its links', async () => {
    const answer = notice(browser, 200, 'You are signed out.', {
      links: { 'The identity provider': 'https://d.example/out' },
    });
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<p>You are signed out.</p>');
    expect(text).toContain('<a href="https://d.example/out">The identity provider</a>');
    expect(text).not.toMatch(/<script|style=|\son\w+=/);
  });
  it('is the envelope for a program', async () => {
    expect(await notice(program, 200, 'Done.').json()).toEqual({ message: 'Done.' });
    const refused = refusalNotice(program, refusal('cross-site', { headers: { 'x-why': 'site' } }));
    expect([refused.status, refused.headers.get('x-why')]).toEqual([403, 'site']);
    expect(await refused.json()).toEqual({ error: expect.any(String) });
  });
  it('shows markup as text, in the sentence and in a link', async () => {
    const text = await notice(browser, 400, '<script>alert(1)</script> & "x"', {
      links: { '<b>': 'https://d.example/?a=1&b="><script>' },
    }).text();
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;');
    expect(text).toContain('<a href="https://d.example/?a=1&amp;b=&quot;&gt;&lt;script&gt;">&lt;b&gt;</a>');
  });
  it('shows the subject of its reader, only to a person', async () => {
    const around = { subject: 'ada <b>\u202e' };
    const text = await notice(browser, 403, 'No.', around).text();
    expect(text).toContain('<p>You are signed in as <b>ada &lt;b&gt;');
    expect(text).not.toContain('\u202e');
    expect(await notice(program, 403, 'No.', around).json()).toEqual({ error: 'No.' });
  });
  it('is stored by no cache and sets each cookie in its own header', () => {
    const answer = notice(browser, 200, 'Done.', { cookies: ['a=; Max-Age=0', 'b=; Max-Age=0'] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual(['a=; Max-Age=0', 'b=; Max-Age=0']);
  });
});
