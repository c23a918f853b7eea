import { TextInput, type TextInputProps } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { type ChangeEvent, type ReactNode, useEffect, useRef } from 'react';
import type { ApiError } from '../api/request.ts';

/** What is empty and must not be, by the field of the form. */
function missingIn(form: HTMLFormElement): { errors: FormErrors; others: HTMLInputElement[] } {
  const errors: Record<string, string> = {};
  const others: HTMLInputElement[] = [];
  for (const field of form.querySelectorAll<HTMLInputElement>('input[required], textarea[required]')) {
    const isTicked = field.type === 'checkbox';
    if (isTicked ? field.checked : field.value.trim() !== '') continue;
    const name = field.getAttribute('data-path');
    if (name === null) others.push(field);
    else errors[name] = isTicked ? 'Tick this box to continue.' : 'Fill in this field.';
  }
  return { errors, others };
}

/**
 * A form that says everything that is missing or wrong at once, each beside its field; the keyboard is in the first of them. After
 * a refusal that names no field it is where it was: a button that waits for its answer is disabled, and loses it.
 */
export function ValidatedForm<Values extends Record<string, unknown>>({
  form,
  submit,
  check,
  error,
  children,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly submit: (values: Values) => void;
  /** What the API would refuse too, by field; asked where the page alone finds faults, so that all are shown at once. */
  readonly check?: (values: Values) => Promise<Readonly<Record<string, string>>>;
  /** The refusal of what was submitted. */
  readonly error: ApiError | null;
  readonly children: ReactNode;
}) {
  const shown = useRef<HTMLFormElement>(null);
  const pressed = useRef<Element | null>(null);
  const errorsNow = useRef(form.errors);
  errorsNow.current = form.errors;
  useEffect(() => {
    if (error === null) return;
    const faulty = shown.current?.querySelector('[aria-invalid=true]');
    const next = faulty ?? (document.activeElement === document.body ? pressed.current : null);
    if (next instanceof HTMLElement) next.focus();
  }, [error]);
  /** Beside fields that were changed in the meantime, or that have a fault already, nothing is shown. */
  const showOthers = async (checked: Values) => {
    const found = (await check?.(checked)) ?? {};
    const now = form.getValues();
    for (const [name, sentence] of Object.entries(found))
      if (name in now && now[name] === checked[name] && !(name in errorsNow.current))
        form.setFieldError(name, sentence);
  };
  return (
    <form
      noValidate
      ref={shown}
      onSubmit={(event) => {
        event.preventDefault();
        const element = event.currentTarget;
        pressed.current = document.activeElement;
        const missing = missingIn(element);
        const errors = { ...form.validate().errors, ...missing.errors };
        if (Object.keys(errors).length > 0) {
          form.setErrors(errors);
          // Without an answer, what the page found is shown alone.
          showOthers(form.getValues()).catch(() => undefined);
          const fields = [...element.querySelectorAll<HTMLElement>('[data-path]')];
          return fields.find((field) => (field.getAttribute('data-path') ?? '') in errors)?.focus();
        }
        // A field outside of the form's values: the browser says what is missing.
        if (missing.others.some((field) => !field.reportValidity())) return undefined;
        return submit(form.getValues());
      }}
    >
      {children}
    </form>
  );
}

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

/** An identifier made of a name: letters, digits and hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

/** What the field of a name does: as long as nobody wrote a slug, it follows from the name. */
export function nameWithSlug<Values extends { readonly name: string; readonly slug: string }>(
  form: UseFormReturnType<Values>,
) {
  return {
    onChange(event: ChangeEvent<HTMLInputElement>) {
      const { name, slug } = form.getValues();
      const next = event.currentTarget.value;
      if (slug === slugOf(name)) form.setValues({ slug: slugOf(next) } as Partial<Values>);
      form.setValues({ name: next } as Partial<Values>);
      form.clearFieldError('name');
    },
  };
}
