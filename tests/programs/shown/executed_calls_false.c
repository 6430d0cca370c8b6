// One execution tells that this holds; a contract of the function shows why. Here it fails.
//# label ERROR: FALSE
int pairs(int n)
{
    if (n < 2) {
        return n;
    }
    return pairs(n - 1) + 2 * pairs(n - 2);
}

int main(void)
{
    if (pairs(17) != 43690) {
        ERROR: return 1;
    }
    return 0;
}
