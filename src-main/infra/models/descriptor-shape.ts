/** Side of the square RGB image the graph takes; the caller stretches the image to it, whatever its aspect ratio. */
export const DESCRIPTOR_INPUT_PX = 128;
/** Length of the descriptor; a multiple of eight keeps vector kernels on their fast path. */
export const DESCRIPTOR_DIM = 488;
export const DESCRIPTOR_INPUT_NAME = 'pixels';
export const DESCRIPTOR_OUTPUT_NAME = 'descriptor';
/** Changes when the same image would give another vector, so stored vectors can be told apart. */
export const DESCRIPTOR_ID = 'visual-descriptor-1';
