import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { install, settle } from './api.ts';

// What is waited for comes when it comes; a machine under load must not make it a failure.
configure({ asyncUtilTimeout: 300_000 });

/** What React and the component library complain about: a missing key, an invalid nesting, an update that is lost. */
const complaints: string[] = [];

// Without animations, as for a person who asked their system for reduced motion: what is opened or closed is so at once.
vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
  const list = new EventTarget() as MediaQueryList;
  return Object.assign(list, { matches: query.includes('prefers-reduced-motion'), media: query });
});

beforeEach(() => {
  install();
  vi.spyOn(console, 'error').mockImplementation(
    (...words: unknown[]) => void complaints.push(words.map(String).join(' ')),
  );
});

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  history.replaceState(null, '', '/');
  expect([...settle(), ...complaints.splice(0)]).toEqual([]);
});
