import { TextInput, type TextInputProps } from '@mantine/core';

const DECIMAL = /^\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/**
 * A number as people type or paste it, with a decimal point or comma: "12,50" is 12.5. Null where it is none, or has a thousands
 * separator: "1,234.5" and "1.234,5" are read differently in different places.
 */
export function readDecimal(value: number | string): number | null {
  if (typeof value === 'number') return value;
  const text = value.replace(/^\s*€?\s*|\s*€?\s*$/g, '');
  return DECIMAL.test(text) ? Number(text.replace(',', '.')) : null;
}

/** What is wrong with a field of such a number; an empty one is not looked at. */
export function faultOfDecimal(value: number | string): string | null {
  if (value === '' || readDecimal(value) !== null) return null;
  return 'Type a number of 0 or more, such as 12.50 or 12,50, without a thousands separator.';
}

/** A field for a number that is kept as it was typed. Check it with `faultOfDecimal`. */
export function DecimalInput(props: TextInputProps) {
  return <TextInput inputMode="decimal" autoComplete="off" {...props} />;
}
