import { common, createLowlight } from 'lowlight';
import { memo, useMemo, type ReactElement, type ReactNode } from 'react';

const lowlight = createLowlight(common);

/** Code in the colours of its language, if that is one of the common ones. */
export const HighlightedCode = memo(function HighlightedCode({
  language,
  code,
}: {
  readonly language: string;
  readonly code: string;
}): ReactElement {
  return useMemo(() => {
    const name = language.toLowerCase();
    return <>{lowlight.registered(name) ? toNodes(lowlight.highlight(name, code).children) : code}</>;
  }, [language, code]);
});

type Tree = ReturnType<typeof lowlight.highlight>['children'];

function toNodes(tree: Tree): readonly ReactNode[] {
  return tree.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const { className } = node.properties;
    return (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={Array.isArray(className) ? className.join(' ') : undefined}>
        {toNodes(node.children)}
      </span>
    );
  });
}
