/* A device of four blocks of 128 bytes in memory. */
#include "bd/lfs_rambd.h"
#include "../harness.h"

enum { BLOCK = 128, BLOCKS = 4 };

static uint8_t store[BLOCK * BLOCKS], read_buffer[16], prog_buffer[16], lookahead[8];
static lfs_rambd_t device;
static const struct lfs_rambd_config geometry = {
    .read_size = 1, .prog_size = 1, .erase_size = BLOCK, .erase_count = BLOCKS, .buffer = store
};
static const struct lfs_config config = {
    .context = &device,
    .read = lfs_rambd_read, .prog = lfs_rambd_prog, .erase = lfs_rambd_erase, .sync = lfs_rambd_sync,
    .read_size = 1, .prog_size = 1, .block_size = BLOCK, .block_count = BLOCKS, .block_cycles = -1,
    .cache_size = 16, .lookahead_size = 8,
    .read_buffer = read_buffer, .prog_buffer = prog_buffer, .lookahead_buffer = lookahead
};
