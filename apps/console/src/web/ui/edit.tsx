import { Button } from '@mantine/core';

/** The button of a row that opens the form of the row's object. `of` names it for screen readers. */
export function Edit({ of, label = 'Edit', open }: { of: string; label?: string; open: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`${label} ${of}`}>
      {label}
    </Button>
  );
}
