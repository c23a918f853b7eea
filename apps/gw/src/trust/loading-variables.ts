/**
 * Variables that make programs load code, or find other programs than their names say. A person who reads the command of a
 * server would not expect them to decide what runs.
 */
const PREFIXES =
  /^(?:LD_|DYLD_|PYTHON|PERL5|PERL_|RUBY|GIT_|BASH_|NPM_CONFIG_|_?JAVA_|JDK_|DOTNET_|CORECLR_|COR_|COMPLUS_|PHP|LUA_|GEM_|BUNDLE_|ELECTRON_|GCONV_|RUSTC)/;
const NAMES = new Set(
  'ENV PATH CDPATH IFS HOME SHELL SHELLOPTS PS4 PROMPT_COMMAND ZDOTDIR NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE CLASSPATH MAVEN_OPTS GRADLE_OPTS CC CXX GOFLAGS EDITOR VISUAL PAGER BROWSER SSH_ASKPASS PATHEXT COMSPEC TCLLIBPATH R_PROFILE R_PROFILE_USER OPENSSL_CONF'.split(
    ' ',
  ),
);

/** Whether a variable may load code into a program. Letter case is ignored, as Windows and npm ignore it. */
export function loadsCode(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.test(upper);
}
