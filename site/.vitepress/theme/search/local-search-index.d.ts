/** The site generator's index of the pages: one for each language, loaded on demand. */
declare module '@localSearchIndex' {
  type Load = () => Promise<{ readonly default: string }>;
  const languages: { readonly root: Load };
  export default languages;
}
