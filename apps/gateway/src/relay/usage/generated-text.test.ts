import { describe, expect, it } from 'vitest';
import { promptText, readGeneratedText } from './apis.ts';

describe('the generated text', () => {
  it.each<[unknown, string]>([
    [{ choices: [{ delta: { role: 'assistant', content: 'a' } }, { delta: { reasoning_content: 'b' } }] }, 'ab'],
    [{ choices: [{ text: 'old' }] }, 'old'],
    [{ choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] }, 'x'],
    [{ choices: [{ delta: { tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] } }] }, 'f{}'],
    [{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } }, 'hi'],
    [{ type: 'response.output_text.delta', delta: 'piece' }, 'piece'],
    [{ type: 'response.output_text.done', text: 'the whole again' }, ''],
    [{ content: [{ type: 'text', text: 'plain' }] }, 'plain'],
    [{ output: [{ content: [{ type: 'output_text', text: 'out' }] }] }, 'out'],
    [{ text: 'a transcript' }, 'a transcript'],
    [{ message: { role: 'assistant', content: 'c', thinking: 't' }, done: false }, 'ct'],
    [{ response: 'r', thinking: '', done: false }, 'r'],
    [{ index: 0, content: 'own', stop: false }, 'own'],
    [{ type: 'message.delta', content: 'studio' }, 'studio'],
    [{ type: 'chat.end', result: { output: [{ type: 'message', content: 'all of it' }] } }, ''],
    [{ token: { id: 5, text: 'tok' }, generated_text: 'all of it' }, 'tok'],
    [[{ generated_text: 'whole' }], 'whole'],
    [{ object: 'error', message: 'a fault' }, ''],
    [{ data: [{ id: 'model' }] }, ''],
    [null, ''],
    ['text', ''],
  ])('in %j is %j', (payload, text) => {
    expect(readGeneratedText(payload)).toBe(text);
  });
  it('and the prompt exclude names and embedded files', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ];
    expect(promptText({ model: 'm', messages }).trim()).toBe('see');
    const bare = Buffer.alloc(3000, 7).toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data: bare };
    const pictured = [
      {
        role: 'user',
        content: [
          { type: 'image', source },
          { type: 'text', text: 'seen' },
        ],
      },
    ];
    expect(promptText({ messages: pictured })).not.toContain(bare);
    expect(promptText({ prompt: 'look', images: [bare] })).toBe('look');
    expect(promptText({ messages: [{ role: 'user', content: 'look', images: [bare] }] }).trim()).toBe('look');
    expect(promptText({ prompt: 'x'.repeat(900) })).toHaveLength(900);
    expect(promptText({ prompt: 'one two '.repeat(900) })).toHaveLength(7200);
    expect(promptText({ prompt: 'p', system: 's' })).toBe('s p');
    expect(promptText({ inputs: 'i', parameters: {} })).toBe('i');
    expect(promptText(undefined)).toBe('');
  });
});
