import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../testing/show.tsx';
import { Clamped, ClampedLink, Named } from './named.tsx';

const LONG = 'w'.repeat(255);
const linesOf = (text: string) => screen.getByText(text).dataset['lineClamp'];

describe('a long name in a row', () => {
  it('takes one line, and the whole is in the title', () => {
    show(<Named name={LONG} slug="lab" />);
    expect([linesOf(LONG), linesOf('lab')]).toEqual(['true', 'true']);
    expect(screen.getByText(LONG).title).toBe(LONG);
  });
  it('is a link with an address, else a button', () => {
    show(
      <>
        <ClampedLink href="#users">ada</ClampedLink>
        <ClampedLink>alan</ClampedLink>
        <Clamped lines={2}>grace</Clamped>
      </>,
    );
    expect(screen.getByRole('link', { name: 'ada' }).title).toBe('ada');
    expect(screen.getByRole('button', { name: 'alan' }).title).toBe('alan');
    expect(screen.getByText('grace').style.overflowWrap).toBe('anywhere');
  });
});
