// Reads the Mermaid pictures of a page, as far as this repository uses Mermaid: flowcharts, sequences and states. Other Mermaid syntax is
// refused, because a test cannot check a picture that it cannot read.

/** A picture of a page, with the line at which it begins. */
export interface Picture {
  readonly page: string;
  readonly line: number;
  readonly kind: string;
  readonly statements: readonly string[];
}

/** The content of a picture of any kind. */
export interface Reading {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly links: readonly Link[];
  /** Every text that a reader sees. */
  readonly texts: readonly string[];
  /** The errors in it. */
  readonly objections: readonly string[];
}

export interface Node {
  /** The label's lines. */
  readonly label: readonly string[];
  /** The groups that contain it, the outermost first. */
  readonly groups: readonly string[];
}

export interface Link {
  readonly from: string;
  readonly to: string;
}

/** The pictures of a page. */
export function picturesIn(page: string, text: string): Picture[] {
  return [...text.matchAll(/^```mermaid *\n([\s\S]*?)^```/gm)].map((match) => {
    const [kind = "", ...statements] = (match[1] ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("%%"));
    return { page, line: text.slice(0, match.index).split("\n").length, kind, statements };
  });
}

/** Reads a picture by its kind. */
export function readPicture({ kind, statements }: Picture): Reading {
  if (/^flowchart (TB|LR|RL|BT)$/.test(kind)) return readFlowchart(statements);
  if (kind === "sequenceDiagram") return readSequence(statements);
  if (kind === "stateDiagram-v2") return readStates(statements);
  return { nodes: new Map(), links: [], texts: [], objections: [`no kind of picture that is known here: ${kind}`] };
}

const linesOf = (label: string): string[] => label.split(/<br ?\/?>/).map((line) => line.trim());

const NODE = /([A-Za-z]\w*)(?:[[({]+(?:"([^"]*)"|([^"[\](){}]*))[\])}]+)?/y;
const LINK = /\s*(?:<?-->|---|<?-\.->|<?==>)(?:\|"?([^|"]*)"?\|)?\s*/y;

/** A flowchart. A node gets its label at its first occurrence. Every end of a link is a node or a subgraph. */
function readFlowchart(statements: readonly string[]): Reading {
  const nodes = new Map<string, Node>();
  const [groups, seen, links, texts, objections]: [string[], Set<string>, Link[], string[], string[]] = [
    [],
    new Set(),
    [],
    [],
    [],
  ];
  for (const statement of statements) {
    const group = /^subgraph ([A-Za-z]\w*) ?\["([^"]+)"\]$/.exec(statement);
    if (group) {
      groups.push(group[1] ?? "");
      seen.add(group[1] ?? "");
      texts.push(group[2] ?? "");
    } else if (statement === "end") {
      if (groups.pop() === undefined) objections.push("an end without its subgraph");
    } else if (!/^direction (TB|LR|RL|BT)$/.test(statement)) {
      const chain = readChain(statement);
      if (!chain) objections.push(`not understood: ${statement}`);
      for (const { id, label } of chain?.nodes ?? []) {
        if (label === undefined) continue;
        if (nodes.has(id)) objections.push(`${id} has two labels`);
        nodes.set(id, { label: linesOf(label), groups: [...groups] });
        texts.push(...linesOf(label));
      }
      texts.push(...(chain?.texts ?? []));
      links.push(...(chain?.links ?? []));
    }
  }
  if (groups.length > 0) objections.push(`no end of ${groups.join(", ")}`);
  const ends = links.flatMap(({ from, to }) => [from, to]);
  objections.push(...ends.filter((id) => !nodes.has(id) && !seen.has(id)).map((id) => `${id} has no label`));
  const isLinked = (id: string, { groups }: Node) => [id, ...groups].some((name) => ends.includes(name));
  objections.push(...[...nodes].filter(([id, node]) => !isLinked(id, node)).map(([id]) => `nothing leads to ${id}`));
  return { nodes, links, texts, objections };
}

/** One line of a flowchart: nodes, and links between consecutive nodes. */
function readChain(statement: string) {
  const nodes: { readonly id: string; readonly label: string | undefined }[] = [];
  const links: Link[] = [];
  const texts: string[] = [];
  for (let at = 0; ;) {
    NODE.lastIndex = at;
    const node = NODE.exec(statement);
    if (!node) return undefined;
    const before = nodes.at(-1);
    const id = node[1] ?? "";
    nodes.push({ id, label: node[2] ?? node[3] });
    if (before) links.push({ from: before.id, to: id });
    if (NODE.lastIndex === statement.length) return { nodes, links, texts };
    LINK.lastIndex = NODE.lastIndex;
    const link = LINK.exec(statement);
    if (!link) return undefined;
    if (link[1] !== undefined) texts.push(link[1]);
    at = LINK.lastIndex;
  }
}

const MESSAGE = /^([A-Za-z]\w*)\s*(?:<<)?--?(?:>>?|x|\))\s*[+-]?\s*([A-Za-z]\w*)\s*: *(\S.*)$/;
const NOTE = /^Note (?:over|left of|right of) ([A-Za-z]\w*)(?:, ?([A-Za-z]\w*))?: *(\S.*)$/;
const BLOCK = /^(?:loop|alt|opt|par|critical|break|rect|box)\b *(.*)$/;
const BRANCH = /^(?:else|and|option)\b *(.*)$/;

/** A sequence. Every participant is declared, and takes part. */
function readSequence(statements: readonly string[]): Reading {
  const nodes = new Map<string, Node>();
  const [links, texts, objections]: [Link[], string[], string[]] = [[], [], []];
  const named: string[] = [];
  let depth = 0;
  for (const statement of statements) {
    const declared = /^(?:create )?(?:participant|actor) ([A-Za-z]\w*)(?: as (.+))?$/.exec(statement);
    const [message, note] = [MESSAGE.exec(statement), NOTE.exec(statement)];
    const [block, branch] = [BLOCK.exec(statement), BRANCH.exec(statement)];
    if (declared) {
      const [, id = "", label = id] = declared;
      if (nodes.has(id)) objections.push(`${id} is declared twice`);
      nodes.set(id, { label: linesOf(label), groups: [] });
      texts.push(...linesOf(label));
    } else if (message) {
      const [, from = "", to = "", text = ""] = message;
      links.push({ from, to });
      texts.push(...linesOf(text));
    } else if (note) {
      named.push(...note.slice(1, 3).filter((id) => id !== undefined));
      texts.push(...linesOf(note[3] ?? ""));
    } else if (block ?? branch) {
      if (block) depth++;
      else if (depth === 0) objections.push(`outside of a block: ${statement}`);
      texts.push((block ?? branch)?.[1] ?? "");
    } else if (statement === "end") {
      if (--depth < 0) objections.push("an end without its block");
    } else if (/^(?:activate|deactivate|destroy) /.test(statement)) {
      named.push(statement.split(" ")[1] ?? "");
    } else if (!/^autonumber\b/.test(statement)) {
      objections.push(`not understood: ${statement}`);
    }
  }
  if (depth > 0) objections.push("a block without its end");
  const ends = links.flatMap(({ from, to }) => [from, to]);
  const unknown = new Set([...ends, ...named].filter((id) => !nodes.has(id)));
  objections.push(...[...unknown].map((id) => `${id} is not declared`));
  objections.push(...[...nodes.keys()].filter((id) => !ends.includes(id)).map((id) => `${id} takes no part`));
  return { nodes, links, texts, objections };
}

/** States. Every line is a transition with its cause. */
function readStates(statements: readonly string[]): Reading {
  const [links, texts, objections]: [Link[], string[], string[]] = [[], [], []];
  for (const statement of statements) {
    const arrow = /^(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: *(\S.*))?$/.exec(statement);
    if (!arrow) {
      objections.push(`not understood: ${statement}`);
      continue;
    }
    const [, from = "", to = "", text = ""] = arrow;
    links.push({ from, to });
    texts.push(...[from, to, text].filter((word) => /\w/.test(word)));
  }
  return { nodes: new Map(), links, texts, objections };
}
