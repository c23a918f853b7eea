import './box.css';
import { useData, useRouter } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, ref, shallowRef, type VNode, watch } from 'vue';
import { answerTo, NO_ANSWER } from './answer.ts';
import type { Answer, Hit } from './hit.ts';

/** How long (ms) typing must pause before a question is sent. */
const PAUSE = 150;
/** The longest question that the gateway's search takes. */
const LONGEST = 1000;
const LIST = 'search-answers';

/**
 * The manual's search box; it replaces the site generator's, and its button and keys open it. A dialog with a combobox: the
 * focus stays in the input, which names the selected option.
 */
export default defineComponent({
  name: 'SearchBox',
  emits: ['close'],
  setup(_, { emit }) {
    const { site } = useData();
    const router = useRouter();
    const dialog = ref<HTMLDialogElement>();
    const question = ref('');
    const answer = shallowRef<Answer>(NO_ANSWER);
    const chosen = ref(0);
    /** The question that the answer belongs to. */
    let answered = '';
    /** Enter was pressed before the answer was there. */
    let waiting = false;

    onMounted(() => dialog.value?.showModal());

    watch(question, (text, _before, onCleanup) => {
      const asked = new AbortController();
      const show = (found: Answer): void => {
        if (asked.signal.aborted) return;
        [answer.value, answered, chosen.value] = [found, text, 0];
        if (waiting) openChosen();
      };
      const ask = (): void => {
        answerTo(text, asked.signal)
          .catch((): Answer => ({ hits: [], note: 'The search does not answer.' }))
          .then(show, () => {});
      };
      const timer = setTimeout(ask, text.trim() === '' ? 0 : PAUSE);
      waiting = false;
      onCleanup(() => {
        clearTimeout(timer);
        asked.abort();
      });
    });

    /** Pages of another version, installed meanwhile, are reloaded. */
    const isOfThisVersion = ({ href }: Hit): boolean => href.startsWith(site.value.base);

    function openChosen(): void {
      const hit = answer.value.hits[chosen.value];
      if (!hit) return;
      dialog.value?.close();
      if (isOfThisVersion(hit)) router.go(hit.href).catch(() => location.assign(hit.href));
      else location.assign(hit.href);
    }

    function choose(step: number): void {
      const { length } = answer.value.hits;
      if (length === 0) return;
      chosen.value = (chosen.value + step + length) % length;
      nextTick(() => dialog.value?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })).catch(
        () => {},
      );
    }

    function press(event: KeyboardEvent): void {
      if (event.isComposing) return;
      if (event.key === 'ArrowDown') choose(1);
      else if (event.key === 'ArrowUp') choose(-1);
      else if (event.key === 'Enter') {
        if (answered === question.value) openChosen();
        else waiting = true;
      } else return;
      event.preventDefault();
    }

    const input = (): VNode =>
      h('input', {
        class: 'search-question',
        type: 'text',
        role: 'combobox',
        'aria-label': 'Search the manual',
        'aria-autocomplete': 'list',
        'aria-controls': LIST,
        'aria-expanded': String(answer.value.hits.length > 0),
        'aria-activedescendant': answer.value.hits.length > 0 ? `${LIST}-${chosen.value}` : undefined,
        placeholder: 'Ask a question, or search',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'go',
        maxlength: LONGEST,
        value: question.value,
        onInput: (event: Event) => {
          question.value = (event.target as HTMLInputElement).value;
        },
        onKeydown: press,
      });

    const option = (hit: Hit, at: number): VNode =>
      h(
        'a',
        {
          id: `${LIST}-${at}`,
          class: 'search-hit',
          role: 'option',
          tabindex: -1,
          href: hit.href,
          target: isOfThisVersion(hit) ? undefined : '_self',
          'aria-selected': String(at === chosen.value),
          onMousemove: () => {
            chosen.value = at;
          },
          onClick: ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => {
            if (!ctrlKey && !metaKey && !shiftKey) dialog.value?.close();
          },
        },
        [
          h('span', { class: 'search-titles' }, hit.titles.join(' › ')),
          hit.excerpt === '' ? null : h('span', { class: 'search-excerpt' }, hit.excerpt),
        ],
      );

    return () =>
      h(
        'dialog',
        {
          ref: dialog,
          class: 'search-box',
          'aria-label': 'Search',
          onClose: () => emit('close'),
          // The area around the dialog belongs to it.
          onClick: (event: MouseEvent) => event.target === dialog.value && dialog.value?.close(),
        },
        [
          h('div', { class: 'search-inside' }, [
            h('div', { class: 'search-bar' }, [
              input(),
              h('button', { type: 'button', class: 'search-close', onClick: () => dialog.value?.close() }, 'Close'),
            ]),
            h('p', { class: 'search-note', role: 'status' }, answer.value.note),
            h(
              'div',
              { id: LIST, class: 'search-hits', role: 'listbox', 'aria-label': 'Answers' },
              answer.value.hits.map(option),
            ),
          ]),
        ],
      );
  },
});
