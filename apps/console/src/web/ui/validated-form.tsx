import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef } from 'react';
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
          void showOthers(form.getValues());
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
