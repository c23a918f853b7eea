import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { given, listed, reads } from '../../testing/api.ts';
import { person } from '../../testing/objects.ts';
import { show } from '../../testing/show.tsx';
import { NearCaps, useAccount } from './on-premise.ts';

function Account() {
  const { causes, actions } = useAccount('ada b');
  return (
    <p>
      {causes.map(({ name, text }) => (
        <span key={name}>{text}</span>
      ))}
      {` (${actions.length} actions)`}
    </p>
  );
}

describe('an account of the on-premise build', () => {
  it.each([
    [[person('ada b')], ' (0 actions)'],
    [[], ' (0 actions)'],
    [
      [person('ada b', { enabled: false })],
      'The account is disabled. To enable it, run: gatewayctl account enable ada b (0 actions)',
    ],
  ])('is shown, not changed: its command is named: %#', async (subjects, says) => {
    given('GET /api/subjects', listed('subjects', subjects));
    show(<Account />);
    await waitFor(() => expect(screen.getByText(/actions\)/).textContent).toBe(says));
    await waitFor(() => expect(reads('/api/subjects')).toEqual([{ subject: 'ada b' }]));
  });

  it('has no cap', () => {
    expect(NearCaps).toBeNull();
  });
});
