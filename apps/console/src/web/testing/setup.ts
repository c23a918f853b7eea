import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { forgetDrafts } from '../ui/use-editing.ts';
import { install, settle } from './api.ts';

// What is waited for comes when it comes; a machine under load must not make it a failure.
configure({ asyncUtilTimeout: 300_000 });

/** What React and the component library complain about: a missing key, an invalid nesting, an update that is lost. */
const complaints: string[] = [];

// A field that grows with its text measures it again when a font is loaded; none is here.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

beforeEach(() => {
  install();
  vi.spyOn(console, 'error').mockImplementation(
    (...words: unknown[]) => void complaints.push(words.map(String).join(' ')),
  );
});

afterEach(() => {
  cleanup();
  forgetDrafts();
  notifications.clean();
  localStorage.clear();
  history.replaceState(null, '', '/');
  expect([...settle(), ...complaints.splice(0)]).toEqual([]);
});

// A dialog that closes gives the keyboard back a moment later: the page must not be gone before.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 40)));

// Charts are drawn on a canvas, and none is here. What they say, and their tables, are tested.
vi.mock('uplot', () => ({
  default: class {
    static readonly paths = {};
    static readonly sync = () => ({ key: 'steps' });
    readonly setData = () => undefined;
    readonly setCursor = () => undefined;
    readonly setSize = () => undefined;
    readonly destroy = () => undefined;
    readonly valToPos = () => 0;
  },
}));
