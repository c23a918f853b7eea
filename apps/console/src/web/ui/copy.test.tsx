import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { Copy } from './copy.tsx';

afterEach(() => void Reflect.deleteProperty(navigator, 'clipboard'));

const button = () => screen.getByRole('button');

/** A page that is served in the clear. `copies` is what the browser's old way of copying answers. */
function inTheClear(copies: () => boolean) {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  const marked: string[] = [];
  Object.assign(document, {
    execCommand: (name: string) => {
      const area = document.querySelector('textarea');
      marked.push(`${name} ${area?.value.slice(area.selectionStart, area.selectionEnd)}`);
      return copies();
    },
  });
  return marked;
}

describe('a button that copies', () => {
  it('says that it did, until the keyboard goes elsewhere', async () => {
    const { user } = show(<Copy text={'line 1\nline 2'} label="Copy the command" />);
    expect(button().textContent).toBe('Copy the command');
    await user.click(button());
    await screen.findByText('Copied');
    expect(await navigator.clipboard.readText()).toBe('line 1\nline 2');
    await user.tab();
    expect(button().textContent).toBe('Copy the command');
  });

  it('says what to do where the browser refuses it', async () => {
    const { user } = show(<Copy text="gwk_key" />);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await user.click(button());
    expect(await screen.findByText('Select and copy it')).toBeDefined();
  });

  it('copies on a page in the clear too, and keeps the keyboard', async () => {
    const { user } = show(<Copy text="gwk_key" />);
    const marked = inTheClear(() => true);
    await user.click(button());
    await screen.findByText('Copied');
    expect(marked).toEqual(['copy gwk_key']);
    expect(document.querySelector('textarea')).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it.each([
    ['does not', () => false],
    [
      'fails',
      () => {
        throw new Error('not supported');
      },
    ],
  ])('says what to do where a page in the clear %s', async (_, copies) => {
    const { user } = show(<Copy text="gwk_key" />);
    inTheClear(copies);
    await user.click(button());
    expect(await screen.findByText('Select and copy it')).toBeDefined();
    expect(document.querySelector('textarea')).toBeNull();
  });
});
