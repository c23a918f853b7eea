import type { UseFormReturnType } from '@mantine/form';
import type { ChangeEvent } from 'react';

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
