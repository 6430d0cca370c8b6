/* stdio.h: the standard streams, for programs that name them. The type is the program's. */

struct __provident_stream __provident_standard[3];

FILE *stdin = (FILE *)&__provident_standard[0];
FILE *stdout = (FILE *)&__provident_standard[1];
FILE *stderr = (FILE *)&__provident_standard[2];
