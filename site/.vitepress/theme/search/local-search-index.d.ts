/** What the site generator makes of the pages: one index a language, loaded when it is asked for. */
declare module '@localSearchIndex' {
  type Load = () => Promise<{ readonly default: string }>;
  const languages: { readonly root: Load };
  export default languages;
}
