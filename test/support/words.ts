import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, root } from "./rooms.ts";

/** A comment of a TypeScript source, with its delimiters. */
export interface Comment {
  readonly text: string;
  /** Offset of its first character, in UTF-16 units. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** After one of these a slash begins a regular expression, as it does after an operator; after any other word it divides. */
const BEFORE_EXPRESSION =
  /^(?:return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|await|yield|extends|default|satisfies|as)$/;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*|\d[\w.]*/uy;
const LINE_COMMENT = /\/\/[^\n\r]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** Text of a template up to its end or to the next `${`. */
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

/**
 * The comments of a TypeScript source, in their order. Text within strings, templates and regular expressions is no comment. A slash
 * behind a closing bracket divides, so a regular expression must not directly follow one. Throws for a source that ends within a token.
 */
export function commentsIn(source: string): readonly Comment[] {
  const comments: Comment[] = [];
  const braces: ("block" | "template")[] = [];
  let at = 0;
  let isExpressionNext = true; // where a slash begins a regular expression

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const need = (pattern: RegExp, what: string): string => {
    const found = match(pattern);
    if (found === undefined) throw new SyntaxError(`a ${what} that begins at offset ${at} has no end`);
    return found;
  };
  const template = () => {
    if (need(TEMPLATE_TEXT, "template").endsWith("`")) isExpressionNext = false;
    else {
      braces.push("template");
      isExpressionNext = true;
    }
  };
  const comment = (pattern: RegExp) => {
    const start = at;
    const text = need(pattern, "comment");
    comments.push({ text, start, end: at });
  };

  while (at < source.length) {
    const character = source.charAt(at);
    const word = match(WORD);
    if (word !== undefined) isExpressionNext = BEFORE_EXPRESSION.test(word);
    else if (/\s/.test(character)) at += 1;
    else if (source.startsWith("//", at)) comment(LINE_COMMENT);
    else if (source.startsWith("/*", at)) comment(BLOCK_COMMENT);
    else if (character === '"' || character === "'") {
      need(STRING, "string");
      isExpressionNext = false;
    } else if (character === "/" && isExpressionNext) {
      need(REGULAR_EXPRESSION, "regular expression");
      isExpressionNext = false;
    } else {
      at += 1;
      if (character === "`") template();
      else if (character === "}" && braces.pop() === "template") template();
      else {
        if (character === "{") braces.push("block");
        isExpressionNext = !")]}".includes(character);
      }
    }
  }
  if (braces.length > 0) throw new SyntaxError(`a ${braces.at(-1)} has no end`);
  return comments;
}

/** Words by which a comment leaves out who acts: it should name the worker, the terminal, the partner, the caller or the operator. */
const VAGUE_WORDS = /\b(?:asked|told|nobody|somebody|whoever)\b/gi;

/** A vague word in a comment. */
export interface VagueWord {
  readonly word: string;
  /** From 1. */
  readonly line: number;
}

/** Every vague word in the comments of a TypeScript source, in their order. */
export const vagueWordsIn = (source: string): readonly VagueWord[] =>
  commentsIn(source).flatMap(({ text, start }) =>
    [...text.matchAll(VAGUE_WORDS)].map(({ 0: word, index }) => ({
      word: word.toLowerCase(),
      line: source.slice(0, start + index).split("\n").length,
    })),
  );

/** Written by a generator, from descriptions that stand elsewhere. */
const GENERATED: ReadonlySet<string> = new Set(["clients/partners/schema.ts", "clients/consumer/schema.ts"]);

/** Every TypeScript source that a person writes in the folders of the repository, by its path from there. */
export const writtenSources = (): ReadonlyMap<string, string> =>
  new Map(
    ["clients", "examples", "functions", "infra", "shared", "test"]
      .flatMap(filesIn)
      .filter((path) => !/\/(?:node_modules|dist)\//.test(path) && !GENERATED.has(path))
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
