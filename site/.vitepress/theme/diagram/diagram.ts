import './diagram.css';
import { defineComponent, h, type VNode } from 'vue';
import { DRAWINGS, type Drawing, isDrawing, WIDTH } from '../../../build/drawings.ts';

const LINE_HEIGHT = 17;
const HEAD = 6;

/** A drawing of the manual as inline SVG, in the colours of the theme: `<Diagram name="call" />`. */
export default defineComponent({
  name: 'Diagram',
  props: { name: { type: String, required: true } },
  setup({ name }) {
    if (!isDrawing(name)) throw new Error(`There is no drawing "${name}".`);
    const drawing: Drawing = DRAWINGS[name];
    return () =>
      h('figure', { class: 'diagram' }, [
        h('svg', { viewBox: `0 0 ${WIDTH} ${drawing.height}`, role: 'img', 'aria-label': drawing.description }, [
          ...drawing.arrows.flatMap(arrow),
          ...drawing.boxes.flatMap(box),
          ...(drawing.labels ?? []).map(({ x, y, text }) => h('text', { x, y, class: 'diagram-label' }, text)),
        ]),
      ]);
  },
});

function box({ x, y, width, height, lines, accent }: Drawing['boxes'][number]): VNode[] {
  const first = y + height / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 5;
  return [
    h('rect', { x, y, width, height, rx: 6, class: accent ? 'diagram-accent' : 'diagram-box' }),
    ...lines.map((line, at) =>
      h(
        'text',
        {
          x: x + width / 2,
          y: first + at * LINE_HEIGHT,
          'text-anchor': 'middle',
          class: at === 0 ? 'diagram-title' : 'diagram-text',
        },
        line,
      ),
    ),
  ];
}

function arrow({ from, to, label, dashed }: Drawing['arrows'][number]): VNode[] {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const wing = (turn: number): string =>
    `${to[0] - HEAD * Math.cos(angle + turn)},${to[1] - HEAD * Math.sin(angle + turn)}`;
  const [x, y] = [(from[0] + to[0]) / 2 + 8, (from[1] + to[1]) / 2 + 5];
  return [
    h('path', {
      d: `M${from.join(',')} L${to.join(',')}`,
      class: dashed ? 'diagram-line diagram-dashed' : 'diagram-line',
    }),
    h('path', { d: `M${wing(0.5)} L${to.join(',')} L${wing(-0.5)}`, class: 'diagram-line' }),
    ...(label === undefined ? [] : [h('text', { x, y, class: 'diagram-label' }, label)]),
  ];
}
