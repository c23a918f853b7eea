/** The members that a body really gave: one that is absent must not overwrite what is stored. */
export function present<Body extends object>(body: Body): { [Name in keyof Body]: Exclude<Body[Name], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Body]: Exclude<Body[Name], undefined>;
  };
}
