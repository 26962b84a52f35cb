import { FilterSyntaxError, tokenize, type Operator, type Token } from './tokens';

export type Operand =
  | { type: 'identifier'; text: string }
  | { type: 'number'; value: number; text: string }
  | { type: 'text'; value: string };

export interface Comparison {
  type: 'comparison';
  left: Operand;
  op: Operator;
  /** With `?`: one match is enough. */
  any: boolean;
  right: Operand;
}

export type Expression = Comparison | { type: 'all' | 'one'; parts: Expression[] };

/** Levels of parentheses; each is one recursion here and one level of SQL at most. */
const MAX_DEPTH = 200;
const MAX_COMPARISONS = 400;

/** Reads a filter. Throws FilterSyntaxError. */
export function parseFilter(source: string): Expression {
  const tokens = tokenize(source);
  const parser = new Parser(tokens);
  const expression = parser.readFilter(0);
  if (!parser.isAtEnd) throw new FilterSyntaxError('something is left over');
  return expression;
}

class Parser {
  private at = 0;
  private comparisons = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  /** `&&` binds tighter than `||`. */
  readFilter(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new FilterSyntaxError('too deep');
    const alternatives: Expression[] = [];
    let together: Expression[] = [this.readTerm(depth)];
    for (;;) {
      const token = this.tokens[this.at];
      if (token?.type !== 'join') break;
      this.at += 1;
      const term = this.readTerm(depth);
      if (token.join === '&&') {
        together.push(term);
      } else {
        alternatives.push(group('all', together));
        together = [term];
      }
    }
    alternatives.push(group('all', together));
    return group('one', alternatives);
  }

  private readTerm(depth: number): Expression {
    const token = this.tokens[this.at];
    if (token?.type !== '(') return this.readComparison();
    this.at += 1;
    const inner = this.readFilter(depth + 1);
    if (this.tokens[this.at]?.type !== ')') throw new FilterSyntaxError('parenthesis without an end');
    this.at += 1;
    return inner;
  }

  private readComparison(): Comparison {
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS) throw new FilterSyntaxError('too many conditions');
    const left = this.readOperand();
    const operator = this.tokens[this.at];
    if (operator?.type !== 'operator') throw new FilterSyntaxError('an operator is missing');
    this.at += 1;
    return { type: 'comparison', left, op: operator.op, any: operator.any, right: this.readOperand() };
  }

  private readOperand(): Operand {
    const token = this.tokens[this.at];
    if (token?.type !== 'identifier' && token?.type !== 'number' && token?.type !== 'text') {
      throw new FilterSyntaxError('an operand is missing');
    }
    this.at += 1;
    return token;
  }
}

function group(type: 'all' | 'one', parts: Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type, parts };
}
