import type { AnnotationReads } from '../../../core/ports/annotations.ts';
import type { Answered } from '../../threads/answered.ts';
import type { AnnotationProblemRepository } from './annotation-problem.repository.ts';

export class LocalAnnotationReads implements Answered<AnnotationReads> {
  readonly #problems: AnnotationProblemRepository;

  constructor(problems: AnnotationProblemRepository) {
    this.#problems = problems;
  }

  listProblems(query: { offset: number; limit: number }) {
    return this.#problems.list(query);
  }
}
